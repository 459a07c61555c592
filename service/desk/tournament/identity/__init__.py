"""Decides at which address, and in which time zone, an entrant of a tournament is known."""
