"""The facts of a title and a group's overlay over them, both compiled.

This package knows no position, and no rule that is more than a number.
"""
