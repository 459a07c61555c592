"""Decides what becomes of a tournament, from its announcement to its report."""
