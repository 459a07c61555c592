"""What does not hold although it must; knows nothing that must."""


class Broken(AssertionError):
    """Something that must always hold does not."""


def hold(held: bool, what: str) -> None:
    """Raise Broken, saying what, unless it holds."""
    if not held:
        raise Broken(what)
