"""Decides who watches a game, and which news they get."""
