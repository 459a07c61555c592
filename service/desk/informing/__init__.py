"""Decides which emails follow a change of a game, and who gets them."""
