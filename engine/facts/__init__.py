"""What a title is made of: its facts, groups' own facts over them, both compiled.

Knows no position and no rule that is more than a figure.
"""
