"""Decides what the answer to a question about a tournament is, and what its pages show."""
