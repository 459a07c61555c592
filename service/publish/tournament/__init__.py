"""Tournaments on pages and on paper: their public data, their files, and the report."""
