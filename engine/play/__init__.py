"""Everything that happens without a decision, from the opening to the end of a game.

This covers rounds and phases, shares and trains that change hands, debt and mergers. No module here
asks a player anything.
"""
