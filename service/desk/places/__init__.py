"""Decides where a game is played beside private email."""
