"""Decides who watches a game, and what they get."""
