"""Decides who gets which email about a game, and when."""
