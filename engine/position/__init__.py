"""A position as a value: what it holds, what is being decided, how it is asked, changed and stored.

Knows no rule of play: only the draft changes a position, and only by verbs that move things.
"""
