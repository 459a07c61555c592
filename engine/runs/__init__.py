"""Runs of trains: whether a run is legal, and its revenue."""
