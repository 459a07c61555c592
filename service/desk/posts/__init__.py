"""Decides what becomes of an email that a list or forum brought."""
