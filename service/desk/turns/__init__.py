"""Decides what an email to the table of a game comes to."""
