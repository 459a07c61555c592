"""Incoming and outgoing email: servers, parsing, proof of the sender, composing.

The package knows no rule of a game and no position.
"""
