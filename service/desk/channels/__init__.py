"""Decides how each channel begins, ends and carries: private email, list, forum, terminal."""
