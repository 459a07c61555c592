"""Decides who plays whom in a round, and which results count."""
