"""Decides what is stored and sent when a tournament changes."""
