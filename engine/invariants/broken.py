"""The error for a broken invariant; knows no invariant itself."""


class Broken(AssertionError):
    """An invariant does not hold."""


def hold(held: bool, what: str) -> None:
    """Raise Broken with the message ``what`` unless the condition holds."""
    if not held:
        raise Broken(what)
