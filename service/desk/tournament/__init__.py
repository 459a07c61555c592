"""Decides how what people write about a tournament is proved, stored and answered."""
