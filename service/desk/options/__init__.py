"""Decides which settings a game and its seats may have."""
