"""Clocks of players: their rules, the time that is charged, and deadlines.

Times are UTC seconds. This package knows no game, no email and no database, and never reads the
time.
"""
