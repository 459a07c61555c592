"""The practice room: bots, whole games played by them, invariants, game scripts, a benchmark.

It knows the engine's public questions only; no mail, no database, and no file but its own games.
"""
