"""Decides which games begin, and with whom."""
