"""Decides who plays whom in a tournament, and when."""
