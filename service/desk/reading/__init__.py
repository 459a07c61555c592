"""Decides which lines of an email are advance orders, and which are its writer's signature."""
