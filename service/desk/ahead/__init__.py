"""Decides what players have left for later: their advance orders and waiting commands."""
