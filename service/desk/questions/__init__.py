"""Decides what the answer to a question about a game is."""
