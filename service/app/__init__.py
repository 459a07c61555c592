"""The running service: its jobs, the daemon's timetable, and tests of the configuration."""
