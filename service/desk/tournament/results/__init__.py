"""Decides which results of a tournament count, from the end of a table to its own."""
