"""Runs of trains: whether a claimed run is legal and what it earns."""
