"""Clocks of players: how they are set, what of time counts on them, what is left and until when.

Times are UTC seconds. Nothing here knows a game, a mail, a database or what time it is.
"""
