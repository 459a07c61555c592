"""Decides what follows from the reply of somebody without a seat."""
