"""Separate processes for work that may take too much time or memory, so that it can be stopped."""
