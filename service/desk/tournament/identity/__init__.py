"""Decides at which addresses the entrants and the assistant of a tournament are known."""
