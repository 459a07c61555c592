"""Decides which lines at the end of an email are its writer's signature."""
