"""Decides how a tournament is kept in the store."""
