"""Decides which emails tell whom what has happened in a game."""
