"""Decides what the players of a game agree on together."""
