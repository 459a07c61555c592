"""Decides what a player's email does in a running game."""
