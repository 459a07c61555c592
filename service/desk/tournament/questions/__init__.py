"""Decides what the answer to a question about a tournament is."""
