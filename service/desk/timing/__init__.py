"""Decides what follows as a player's time runs out."""
