"""Decides what players agree on together."""
