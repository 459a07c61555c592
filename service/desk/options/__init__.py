"""Decides which settings an organizer may choose for a game, and a player for a seat."""
