"""Decides which games begin, and what strangers are answered."""
