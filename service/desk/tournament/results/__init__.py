"""Decides how a table or the whole tournament ends, and what that counts."""
