"""Decides what the moves and messages of a player come to."""
