"""Decides how an email is addressed and threaded, which pictures it has, and who may read it."""
