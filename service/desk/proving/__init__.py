"""Decides whether an email may act for a seat or an office, or waits for its owner."""
