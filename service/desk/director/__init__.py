"""Decides what a director may do to a game, and who gets an email about it."""
