"""Decides what follows when an email or a task cannot be handled."""
