"""Decides which address, thread and pictures an email has, and who may read it."""
