"""Decides what the answer to a question is."""
