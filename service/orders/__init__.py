"""Advance orders: their language, when they hold, and what they do.

It knows no email and no database.
"""
