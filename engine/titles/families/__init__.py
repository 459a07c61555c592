"""Rules that related titles share."""
