"""Decides what those who direct a tournament may change."""
