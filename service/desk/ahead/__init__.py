"""Decides which commands wait, and for what."""
