"""Decides what the players of a tournament agree on together."""
