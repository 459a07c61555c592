"""Decides what differs between the ways of playing: private email, list, forum, terminal."""
