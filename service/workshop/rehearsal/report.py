"""The result of a rehearsal: every email in order, printed or as files, and the summary."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.wording import counted
from service.games.games import load
from service.workshop.rehearsal.judging import Verdict
from service.workshop.rehearsal.people import parsed
from service.workshop.rehearsal.steps import Scenario
from service.workshop.rehearsal.times import shown
from service.workshop.rehearsal.world import World


@dataclass(frozen=True)
class RehearsalReport:
    """The figures of a rehearsal, and a verdict for each expectation."""

    title: str
    verdicts: tuple[Verdict, ...]
    mails: int
    letters: int
    #: seconds that passed in the rehearsal
    passed: int
    #: game → its status
    games: dict[str, str]
    #: queue → status → number, at the end of the first performance
    queues: dict[str, dict[str, int]]
    #: each game that has begun → the digest of its last position
    positions: dict[str, str] = field(default_factory=dict)
    performances: int = 1
    #: seconds that the rehearsal took
    seconds: float = 0.0

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """The expectations that failed."""
        return tuple(one for one in self.verdicts if not one.held)

    def as_dict(self) -> dict[str, object]:
        """The figures as JSON values."""
        return {
            "title": self.title,
            "held": not self.failed,
            "expectations": len(self.verdicts),
            "failed": [
                {
                    "file": str(one.place.file),
                    "line": one.place.line,
                    "expected": one.expected,
                    "came": one.came,
                    **({"when": one.when} if one.when else {}),
                }
                for one in self.failed
            ],
            "mails": self.mails,
            "letters": self.letters,
            "performances": self.performances,
            "passed_seconds": self.passed,
            "seconds": self.seconds,
            "games": self.games,
            "positions": self.positions,
            **self.queues,
        }

    def lines(self) -> list[str]:
        """Lines for people: each failed expectation with what came instead, and the figures."""
        found: list[str] = []
        for one in self.failed:
            when = f" ({one.when})" if one.when else ""
            came = one.came.replace("\n", "\n    ")
            found += [f"{one.place}: expected {one.expected}{when}", f"  but: {came}"]
        held = len(self.verdicts) - len(self.failed)
        times = f", {self.performances} performances" if self.performances > 1 else ""
        missed = f", {len(self.failed)} did not" if self.failed else ""
        found.append(
            f"{self.title}: {counted(held, 'expectation')} held{missed}; "
            f"{counted(self.mails, 'email')} in, {self.letters} out, "
            f"{_span(self.passed)} in {self.seconds:.1f} s{times}"
        )
        return found


def _span(seconds: int) -> str:
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3600)
    parts = [f"{days} d"] * bool(days) + [f"{hours} h"] * bool(hours)
    return " ".join([*parts, *[f"{rest // 60} min"] * bool(rest // 60 or not parts)])


def summary(
    scenario: Scenario, world: World, verdicts: Sequence[Verdict], mails: int, before: int
) -> RehearsalReport:
    """The figures of a world at its end, without ``before`` emails of an earlier one."""
    counts = world.store.work.counts()
    with world.store.transaction() as tx:
        rows = tx.games.lines()
        tables = [load(tx, row.name) for row in rows]
    return RehearsalReport(
        scenario.title,
        tuple(verdicts),
        mails,
        len(world.letters) - before,
        world.now - scenario.begin,
        {row.name: str(row.status) for row in rows},
        {"inbox": counts.inbox, "outbox": counts.outbox},
        {table.row.name: table.head.digest for table in tables if table and table.head},
    )


def printed(kind: str, at: int, who: str, raw: bytes) -> str:
    """An email or a note for the terminal; a line before it gives time, sender and recipient."""
    if kind in ("step", "note"):
        return f"--- {who}\n"
    mail = parsed(raw)
    way = f"{who} → moderator" if kind == "in" else f"moderator → {who}"
    again = " (again)" if kind == "again" else ""
    part = mail.get_body(("plain",))
    lines = str(part.get_content()).strip().splitlines() if part is not None else ["(no text)"]
    quoted = sum(line.startswith(">") for line in lines)
    lines = [line for line in lines if not line.startswith(">")]
    lines += [f"> ({quoted} lines)"] * bool(quoted)
    body = "\n".join(f"    {line}".rstrip() for line in lines)
    return f"=== {shown(at)}  {way}{again}\nSubject: {mail['Subject']}\n\n{body}\n"


@dataclass
class Files:
    """Writes every email into a folder, numbered in order."""

    folder: Path
    kinds: Counter[str] = field(default_factory=Counter)

    def __call__(self, kind: str, at: int, who: str, raw: bytes) -> None:
        """As `world.Told`."""
        if kind in ("step", "note"):
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        number = self.kinds.total() + 1
        self.kinds[kind] += 1
        plain = "".join(c if c.isalnum() or c in ".-" else "-" for c in who)
        way = "in-from" if kind == "in" else "out-to"
        (self.folder / f"{number:04}-{way}-{plain}.eml").write_bytes(raw)


def as_text(reports: Sequence[RehearsalReport]) -> str:
    """JSON: one object, or a list of several."""
    found = [report.as_dict() for report in reports]
    return json.dumps(found[0] if len(found) == 1 else found, ensure_ascii=False, indent=1)
