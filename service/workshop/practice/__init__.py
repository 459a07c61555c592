"""Bots, whole games that they play, invariants, game scripts, and a benchmark.

The folder knows only the public questions of the engine: no email, no database, and no file but its
own games.
"""
