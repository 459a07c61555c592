"""Decides what becomes of a post on a list or forum."""
