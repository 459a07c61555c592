"""Decides what a director says to all tables of a tournament."""
