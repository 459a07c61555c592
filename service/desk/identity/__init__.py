"""Decides by which addresses and secrets a player is known."""
