"""Decides by which addresses and secrets a player or organizer is known."""
