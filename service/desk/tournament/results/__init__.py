"""Decides what the end of a tournament's table counts, and how the tournament ends."""
