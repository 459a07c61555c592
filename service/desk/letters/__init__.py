"""Decides how an email is addressed and threaded, and which parts only its reader sees."""
