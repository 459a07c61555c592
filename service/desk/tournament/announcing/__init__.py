"""Decides which tournaments begin."""
