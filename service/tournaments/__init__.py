"""Tournaments by correspondence: rules, seatings, scores, standings and ratings, as pure values.

It knows no mail, no database and no clock: dates are ISO 8601 days, times UTC seconds, both given.
"""
