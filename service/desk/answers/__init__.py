"""Decides whether an email that changed nothing is answered now, or later with others."""
