"""Decides how a tournament is read from the store and changed there."""
