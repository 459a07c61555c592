"""Decides what follows when an email cannot be handled, or does not arrive."""
