"""Decides what a director's acts at a game come to."""
