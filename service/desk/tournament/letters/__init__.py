"""Decides which reader, address and proof an email of a tournament has."""
