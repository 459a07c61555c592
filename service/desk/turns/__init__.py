"""Decides what the commands to a game come to as a whole."""
