"""Decides what a director may do to a game, and who is told."""
