"""Decides what an email to a game comes to: moves, messages, and what needs no turn."""
