"""Decides who acts for a seat, when, at which address and with which secrets."""
