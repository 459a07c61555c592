"""Decides who plays a seat, and where they are reached."""
