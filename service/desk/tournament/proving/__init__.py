"""Decides in whose name an email to a tournament counts."""
