"""Times in words."""

from datetime import UTC, date, datetime


def dated(day: str) -> str:
    """An ISO 8601 day in words: "5 March 2027"; "" stays ""."""
    at = date.fromisoformat(day) if day else None
    return f"{at.day} {at:%B %Y}" if at else ""


def moment(seconds: int) -> str:
    """A time in UTC seconds in words: "5 March 2027, 14:05 UTC"."""
    at = datetime.fromtimestamp(seconds, UTC)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"
