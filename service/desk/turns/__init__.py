"""Decides what the moves and messages of a player's email come to."""
