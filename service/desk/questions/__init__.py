"""Decides what the answer to a question about games is."""
