"""Decides whose a seat is, who acts for it, and when its player is away."""
