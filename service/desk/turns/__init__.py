"""Decides the result of each line of a player's email."""
