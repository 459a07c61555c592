"""Decides what a director's acts at a game, and players' calls for one, come to."""
