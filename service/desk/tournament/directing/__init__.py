"""Decides who directs a tournament, and what directors may decide."""
