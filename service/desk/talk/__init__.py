"""Decides what players say to each other, and who reads it."""
