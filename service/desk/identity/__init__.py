"""Decides how a player is known: by which addresses and secrets."""
