"""Decides how a list and a forum begin and end, who wrote a post, and what goes there."""
