"""Decides what becomes of a game until it begins."""
