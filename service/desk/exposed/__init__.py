"""Decides what becomes of an email that others read, too: a post, or one with more recipients."""
