"""Converts tournament records of older versions to today's form, or refuses them."""

from typing import Any, get_args

import msgspec

from service.operator_errors import OperatorError
from service.tournaments.rules import AIMS, ScoreName, TieBreak

#: parts of the JSON of acts that older versions may have stored otherwise: rules, entries, results
MARKS = (b'"rules":', b'"on_time":', b'"income":', b'"reason":"standby"')

RULE_IS_GONE = (
    "The tournament {tournament} has `{rule}` in its rules, which this version of Waybill no "
    "longer has. Restore your backup with the former version, play the tournament to its end, and "
    "upgrade then."
)


class OldTournament(OperatorError):
    """A stored tournament has a removed rule; the text names it and says what to do."""


def brought_up(data: bytes, ended: bool) -> bytes:
    """An older record in today's form.

    Raises OldTournament for a removed rule, unless the tournament has ``ended``: then the rule that
    is usual today takes its place.
    """
    act: dict[str, Any] = msgspec.json.decode(data)
    if "rules" in act:
        gone = _rules(act["rules"])
        if gone and not ended:
            raise OldTournament(RULE_IS_GONE.format(tournament=act["rules"]["name"], rule=gone[0]))
    if "entry" in act and act["entry"]["state"] == "refused":
        act["entry"]["state"] = "excluded"
    if "entry" in act and act["entry"]["state"] == "asked":
        act["entry"] |= {"standby": act["entry"]["reason"] == "standby", "reason": ""}
    if "told" in act:
        for seat in act["told"]["result"]["seats"]:
            seat["players"] = [
                one["player"] if isinstance(one, dict) else one for one in seat["players"]
            ]
    return msgspec.json.encode(act)


def _rules(rules: dict[str, Any]) -> list[str]:
    """Change stored rules to today's form, in place; returns the removed ones among them."""
    scoring = rules["scoring"]
    parts, gates = scoring.pop("parts", []), rules.pop("gates", {})
    gone = []
    if parts:
        scoring |= {"score": parts[0]["name"], "points": parts[0]["points"]}
    if len(parts) > 1:
        score = ", ".join(f"{part['weight']}% {part['name']}" for part in parts)
        gone.append(f"score: {score}")
    if scoring.get("score", "places") not in get_args(ScoreName):
        gone.append(f"score: {scoring['score']}")
        scoring["score"] = "places"
    for owner, field, name, only in (
        (scoring, "formula", "adjudicated by", "worth"),
        (scoring, "bye", "bye", "average"),
        (scoring, "caretaken", "caretaken", 50),
        (scoring, "replaced", "replaced", "last"),
        (scoring, "abandoned", "abandoned", "adjudicated"),
        (scoring, "ties", "ties", "rulebook"),
        (gates, "on_time", "on time", 0),
        (gates, "decisions", "known by", 50),
        (gates, "leave", "leave needed", False),
        (rules, "stay", "standbys stay", True),
        (rules, "votes", "votes", "half"),
        (rules, "standbys", "standbys", True),
        (rules, "voting", "days to vote", 7),
        *((round_, "byes", "byes", 0) for round_ in rules["rounds"]),
    ):
        if owner.get(field, only) != only:
            value = owner[field]
            gone.append(f"{name}: {('no', 'yes')[value] if isinstance(value, bool) else value}")
    if not {*scoring["breaks"]} <= {*get_args(TieBreak)}:
        gone.append(f"tie-breaks: {', '.join(scoring['breaks'])}")
        scoring["breaks"] = [one for one in scoring["breaks"] if one in get_args(TieBreak)]
    rules["places"] = rules.get("places", gates.get("most", 0))
    # an aim that no longer exists only chose among seatings that are equal by these
    rules["aims"] = [aim for aim in rules["aims"] if aim in AIMS]
    for round_ in rules["rounds"]:
        round_["kind"] = "final" if round_["kind"] == "final" else "open"
    return gone
