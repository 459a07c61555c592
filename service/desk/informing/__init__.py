"""Decides who gets which email about a change of a game."""
