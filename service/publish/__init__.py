"""Writes the public web pages: static files about games that may be shown, kept up to date."""
