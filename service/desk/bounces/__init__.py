"""Decides what follows from an email that does not arrive."""
