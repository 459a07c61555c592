"""Decides what happens to commands for later: advance orders and waiting commands."""
