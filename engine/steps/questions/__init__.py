"""Decisions that interrupt others, such as a player's answer to an offer."""
