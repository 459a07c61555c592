"""Decides what is known about a person: addresses, secrets and all stored data."""
