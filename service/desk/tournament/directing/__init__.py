"""Decides which acts of a tournament's director hold, and what rulings and assistants do."""
