"""Decides which lines of an email are advance orders, and which are part of a sign-off."""
