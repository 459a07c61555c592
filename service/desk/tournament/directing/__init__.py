"""Decides who directs a tournament, what its director and players decide, and who is told."""
