"""Decides whether a game is played on a mailing list or in a forum's thread as well."""
