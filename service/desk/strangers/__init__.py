"""Decides how an email that proves nothing is answered, or held for the player it may be from."""
