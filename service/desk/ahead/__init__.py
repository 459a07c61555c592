"""Decides which commands are done later: advance orders, and what waits for an answer or time."""
