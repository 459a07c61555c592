"""Decides in whose name an email about a tournament is judged."""
