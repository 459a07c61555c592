"""Decides who directs a tournament, and what its director and its players may decide."""
