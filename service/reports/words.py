"""Times as they are told."""

from datetime import UTC, datetime


def moment(seconds: int) -> str:
    """A time in UTC seconds as it is told: "5 March 2027, 14:05 UTC"."""
    at = datetime.fromtimestamp(seconds, UTC)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"
