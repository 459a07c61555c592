"""Decides what the commands at the table of a game do together."""
