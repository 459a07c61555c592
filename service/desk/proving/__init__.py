"""Decides whether an email may act in somebody's name."""
