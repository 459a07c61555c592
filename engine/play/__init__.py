"""What happens without a decision, from the opening to the end.

Rounds and phases, shares and trains that change hands, debt, mergers. Asks nobody anything.
"""
