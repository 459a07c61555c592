"""Decides whose a seat is, and who acts for it at what time."""
