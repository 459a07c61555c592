"""Decides what follows when an email goes wrong: it fails, does not arrive, or shows a token."""
