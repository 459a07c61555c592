"""Why something that was asked for is not done."""


class Refused(Exception):
    """Something that cannot be done; its text says why, and what would work."""
