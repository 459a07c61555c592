"""Decides how an email to a tournament is done and answered."""
