"""Tournaments: rules, the log, seatings, scores, and standings, as pure values.

The package knows no email, no database and no clock. Callers pass dates as ISO 8601 days and times
as UTC seconds.
"""
