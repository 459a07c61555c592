"""Decides which tournaments are announced."""
