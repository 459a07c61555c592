"""Decides how many answers and how much work an email gets now, and what waits."""
