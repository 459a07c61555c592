"""Decides by which way commands come in, and where their answer goes."""
