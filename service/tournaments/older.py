"""Converts tournament records of older versions to today's form, or refuses them."""

from typing import Any

import msgspec

from service.operator_errors import OperatorError
from service.tournaments.rules import AIMS

#: parts of the JSON that only older versions stored: their rules, their results
MARKS = (b'"replaced":', b'"income":')

RULE_IS_GONE = (
    "The tournament {cup} has `{rule}` in its rules, which this version of Waybill no longer has. "
    "Go back to the former version to play the tournament to its end, and upgrade then."
)


class OldTournament(OperatorError):
    """A stored tournament has a removed rule; the text names it and says what to do."""


def brought_up(data: bytes) -> bytes:
    """An older record in today's form. Raises OldTournament for a removed rule."""
    act: dict[str, Any] = msgspec.json.decode(data)
    if "rules" in act:
        _rules(act["rules"])
    if "told" in act:
        for seat in act["told"]["result"]["seats"]:
            seat["players"] = [
                one["player"] if isinstance(one, dict) else one for one in seat["players"]
            ]
    return msgspec.json.encode(act)


def _rules(rules: dict[str, Any]) -> None:
    """Change stored rules to today's form, in place."""
    scoring = rules["scoring"]
    parts = scoring.pop("parts", [])
    gone = []
    if parts:
        scoring |= {"score": parts[0]["name"], "points": parts[0]["points"]}
    if len(parts) > 1:
        score = ", ".join(f"{part['weight']}% {part['name']}" for part in parts)
        gone.append(f"score: {score}")
    for field, name, values in (
        ("formula", "adjudicated by", ("worth",)),
        ("score", "score", ("places", "wins", "share", "money")),
        ("bye", "bye", ("average", "nothing")),
        ("replaced", "replaced", ("last",)),
        ("abandoned", "abandoned", ("adjudicated",)),
        ("ties", "ties", ("rulebook",)),
    ):
        if scoring.get(field, values[0]) not in values:
            gone.append(f"{name}: {scoring[field]}")
    if "opponents" in scoring["breaks"]:
        gone.append(f"tie-breaks: {', '.join(scoring['breaks'])}")
    if gone:
        raise OldTournament(RULE_IS_GONE.format(cup=rules["name"], rule=gone[0]))
    # an aim that no longer exists only chose among seatings that are equal by these
    rules["aims"] = [aim for aim in rules["aims"] if aim in AIMS]
    for round_ in rules["rounds"]:
        round_["kind"] = "final" if round_["kind"] == "final" else "open"
