"""A position as a value: its fields, its open decisions, how code reads, changes and stores it.

This package knows no rules of play. Only the draft changes a position, and only by verbs that move
things.
"""
