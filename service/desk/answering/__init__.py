"""Decides what the commands of an email come to together, and how its writer is answered."""
