"""Decides which player gets which email about a game, and when."""
