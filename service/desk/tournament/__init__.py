"""Decides who plays whom in a tournament, and which results count."""
