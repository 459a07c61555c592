"""Decides which settings a game and its seats may have, its list and forum too."""
