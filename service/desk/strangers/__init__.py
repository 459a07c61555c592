"""Decides how an email that proves nothing is answered, and its commands confirmed."""
