"""Decides what the people of a game choose about its list and its forum."""
