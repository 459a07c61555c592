"""Decides how the commands of an email are judged together, and answered."""
