"""Decides what becomes of each line of a player's email."""
