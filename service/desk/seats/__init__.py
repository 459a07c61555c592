"""Decides who plays a seat, for good or for a time."""
