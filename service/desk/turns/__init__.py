"""Decides the result of each line that a player writes."""
