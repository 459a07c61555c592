"""Decides by which rules a tournament is announced and played."""
