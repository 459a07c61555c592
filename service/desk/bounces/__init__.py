"""Decides what follows when an email does not arrive."""
