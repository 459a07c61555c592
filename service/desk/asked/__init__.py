"""Decides what the answer of somebody without a seat comes to."""
