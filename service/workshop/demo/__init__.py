"""Whole games on one machine: the demonstration, the hot seat, and bots by email."""
