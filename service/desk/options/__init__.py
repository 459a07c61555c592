"""Decides what an organizer may choose of a game."""
