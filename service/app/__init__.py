"""The running service: the office's jobs, the daemon's timetable, a check of the configuration."""
