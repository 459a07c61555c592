"""Decides at which address an entrant of a tournament is known."""
