"""Decides which settings a game has by its organizer, and a seat by its player."""
