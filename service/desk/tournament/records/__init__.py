"""Decides what people read about a tournament."""
