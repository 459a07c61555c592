"""Decides who assists the director of a tournament."""
