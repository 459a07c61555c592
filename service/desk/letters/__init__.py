"""Decides how an email is addressed and threaded, and who may read it."""
