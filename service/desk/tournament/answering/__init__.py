"""Decides what lines about a tournament may be, and how they are answered."""
