"""Decides who acts for a seat, when, and at which address."""
