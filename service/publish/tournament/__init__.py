"""Tournaments on pages and on paper: what is public of them, their files, and the report."""
