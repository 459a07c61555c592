"""Decides how many emails and how much work an email may cause now, and what waits."""
