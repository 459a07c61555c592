"""Decides who gets which email about a change of a game, and how it looks."""
