"""Decides what happens in a tournament."""
