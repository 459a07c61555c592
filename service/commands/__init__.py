"""Reads the commands in people's emails. This package imports neither the store nor the desk."""
