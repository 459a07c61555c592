"""The exception for a request that is not carried out."""


class Refused(Exception):
    """A request cannot be carried out; the text says why, and what would work."""
