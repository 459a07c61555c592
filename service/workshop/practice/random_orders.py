"""Random orders of the whole language, with the names of a title and its players."""

from collections.abc import Callable, Iterator
from random import Random

from service.orders import values as v
from service.orders.answers import write_answer
from service.orders.building import Names

_DEPTH = 2
#: commands besides those that bots know, in words of every title
_RARE = (
    "buy {c} treasury", "buy private {p} from {s} for 60", "sell private {p} to {s} for 60",
    "buy 3 {c} market", "buy double {c} market", "sell 20% {c}", "sell 3 {c} with double",
    "buy bond", "sell 2 bonds", "redeem 2 {c}", "redeem all from {s}", "issue 2", "buy back 2",
    "repay all", "half", "bankrupt", "buy president {c}", "keep {h}", "merge {c} with {d}",
    "exchange {p} for {c} ipo", "exchange {p} for {c} market at next OR", "take back {p}",
    "protect {c} up to 400", "let {c} fall", "bid shares of {c} up to 60",
    "bid station of {c} up to 90 for {d}", "bid 45 for {c}", "offer share",
    "offer station {h} for 40", "buy station {h} from {c}", "use {p}: lay {n} {h} W-E",
    "use {p}: token {h}", "use {p}: mark {h}", "use {p}: extend {t}", "use {p}",
    "use Ferry: Milwaukee-Muskegon, lay 724 F10 N-S", "name Robert E. Lee on {t}", "idle {t}",
    "run {t}: best, {t}: none", "counter for 60", "withdraw", "insist off", "bid {p} 130",
)  # fmt: skip

#: words and signs that change the meaning of an order, wherever they are
_STRAY = (
    *"""
    if unless then until else otherwise and or not next: standing always operate L&N: Ann pass
    buy sell lay run use ferry skip ask vote yes consent: refuse offers up to for alarm float me
    anyone has is sells bids president of train phase price cash shares ( ) , : ; = < >= # // - '
    " × “ ½ ² ٣ é $100 2 -1 9999999999999999999
    """.split(),  # noqa: SIM905 - it is read as a sentence is
    *("5 shares", "trains left", "for 3 rounds", "is floated", "round ends", "at least", ""),
    *("\u200b", "\ue000"),
)


def misspelt(text: str, random: Random) -> Iterator[str]:
    """Endless variants of an order with a word removed, added or replaced."""
    words = text.split(" ")
    while True:
        at, other = random.randrange(len(words)), random.randrange(len(words))
        stray = random.choice((*_STRAY, words[other]))
        kept = random.choice(([], [words[at]]))
        changed = [*words[:at], *random.choice(([], [stray])), *kept, *words[at + 1 :]]
        yield " ".join(changed)


class RandomOrders:
    """Makes orders; the same seed makes the same ones."""

    def __init__(self, names: Names, seed: int, *, every: bool = False) -> None:
        """``every`` adds the commands of all titles, and short forms of tests."""
        self._every = every
        self._random = Random(seed)
        facts = names.title.facts
        self._seats = names.seats
        self._companies = [c.id for c in facts.company]
        self._privates = [p.id for p in facts.private]
        self._trains = [t.type for t in facts.train]
        self._phases = [p.id for p in facts.phase]
        self._hexes = list(names.title.hexes)
        self._tiles = list(names.title.tiles)
        # Whether the order may have advance answers.
        self._answers = False

    def order(self) -> v.Order:
        """An order; its commands may never be legal."""
        heads: list[v.Head] = ["next", "each", "standing", "always", "operate"]
        head = self._random.choice(heads)
        self._answers = head == "always"
        count = self._random.choice((1, 1, 1, 2, 3))
        steps = [self._step(needs_until=head == "each" and count == 1) for _ in range(count)]
        company = self._one(self._companies) if head == "operate" else ""
        lives: list[v.Life] = [v.Life("turn"), v.Life("round"), v.Life("set"), v.Life("game")]
        lives += [v.Life("rounds", n) for n in (2, 3, 12)]
        life = self._random.choice([v.default_life(head)] * 3 + lives)
        return v.Order(head, tuple(steps), company, life)

    def _one(self, things: list[str] | tuple[str, ...]) -> str:
        return self._random.choice(things)

    def _step(self, *, needs_until: bool) -> v.Turn:
        actions = tuple(self._action() for _ in range(self._random.choice((1, 1, 2, 3, 4))))
        until = self._test() if needs_until or self._random.random() < 0.4 else None
        return v.Turn(actions, until)

    def _action(self) -> v.Alternatives:
        return v.Alternatives(
            tuple(self._act() for _ in range(self._random.choice((1, 1, 1, 2, 3))))
        )

    def _act(self) -> v.Act:
        guards: tuple[v.Guard, ...] = ()
        if self._random.random() < 0.4:
            guards = (v.Guard(self._test(), self._random.random() < 0.3),)
        if self._answers and self._random.random() < 0.4:
            ahead = self._answer()
            return v.Act(write_answer(ahead), guards, ahead)
        return v.Act(self._command(), guards)

    def _answer(self) -> v.Terms | v.Ballot:
        """A consent, a refusal or a vote."""
        who = self._one(("", *self._seats))
        if self._random.random() < 0.3:
            kind = self._one(("", "undo", "end", "extend", "replace", "runs", "batch"))
            return v.Ballot(self._random.random() < 0.5, kind, who)
        agrees, sells = self._random.random() < 0.7, self._random.random() < 0.5
        other, private = self._one((who, who, *self._companies)), self._one(self._privates)
        if self._every and self._random.random() < 0.4:
            other = ""
        price = self._random.choice((None, 1, 60, 1200))
        relation = self._relation() if price is not None else "="
        kind = self._one(("offers", "use", "train", "station", "private"))
        if kind == "offers":
            return v.Terms(agrees, "offers", other=other)
        if kind == "use":
            return v.Terms(agrees, "use", private, other=self._one(("", *self._companies)))
        company = self._one(self._companies)
        if kind == "train":
            train = self._one(self._trains)
            return v.Terms(agrees, "train", train, True, company, other, relation, price)
        if kind == "station":
            return v.Terms(agrees, "station", "", True, company, other, relation, price)
        return v.Terms(agrees, "private", private, sells, "", other, relation, price)

    def _relation(self) -> v.Relation:
        relations: list[v.Relation] = ["=", "<", ">", "<=", ">="]
        return self._random.choice(relations)

    def _command(self) -> str:
        if self._every and self._random.random() < 0.5:
            return self._one(_RARE).format(
                c=self._one(self._companies), d=self._one(self._companies),
                p=self._one(self._privates), s=self._one(self._seats),
                t=self._one(self._trains), h=self._one(self._hexes), n=self._one(self._tiles),
            )  # fmt: skip
        company, other = self._one(self._companies), self._one(self._companies)
        train, hex_ = self._one(self._trains), self._one(self._hexes)
        return self._one((
            v.SKIP, v.ASK, "pass", "run", "pay", "withhold", "done", f"buy {company}",
            f"buy {company} market", f"sell 2 {company}", f"par {company} 80", f"buy {train}",
            f"buy {train} from {other} for 120", f"token {hex_}",
            f"lay {self._one(self._tiles)} {hex_} W-E,NW-SE",
            f"run {train}: {hex_}-{hex_}, 2: {hex_}",
            f"bid {self._one(self._privates)} up to 130", f"discard {train}", "accept", "decline",
        ))  # fmt: skip

    # conditions

    def _test(self, depth: int = 0) -> v.Test:
        if self._every and self._random.random() < 0.1:
            company = self._one(self._companies)
            own = v.Sum("shares", v.ME, company)
            return self._random.choice((v.IsFloated(company), v.Compare(own, ">=", "5")))
        kind = self._random.random()
        if depth < _DEPTH and kind < 0.3:
            parts = tuple(self._test(depth + 1) for _ in range(self._random.choice((2, 2, 3))))
            return v.All(parts) if kind < 0.15 else v.Any(parts)
        if depth < _DEPTH and kind < 0.4:
            return v.Not(self._test(depth + 1))
        return self._random.choice(self._simple)()

    @property
    def _simple(self) -> tuple[Callable[[], v.Test], ...]:
        company: Callable[[], str] = lambda: self._one(self._companies)  # noqa: E731
        who: Callable[[], str] = lambda: self._one((v.ANYONE, v.ME, *self._seats))  # noqa: E731
        whose: Callable[[], str] = lambda: self._one((v.ME, *self._seats))  # noqa: E731
        return (
            lambda: v.Trades(who(), self._random.random() < 0.5, self._one(("", company()))),
            lambda: v.Bids(who(), self._one(("", self._one(self._privates)))),
            v.Outbid, v.PhaseChanges, v.RoundEnds, v.Alarm,
            lambda: v.Starts(company()),
            lambda: v.Floats(company()),
            lambda: v.PresidentChanges(company()),
            lambda: v.TrainPurchase(self._one(self._trains)),
            lambda: v.HasTrain(company()),
            lambda: v.IsFloated(company()),
            lambda: v.IsFree(self._one(self._hexes)),
            lambda: v.HasTile(self._one(self._hexes), self._one(self._tiles)),
            lambda: v.Presides(whose(), company()),
            self._compare, self._compare, self._compare,
        )  # fmt: skip

    def _compare(self) -> v.Test:
        relation = self._relation()
        if self._random.random() < 0.2:
            return v.Compare(v.Sum("next train"), relation, self._one(self._trains))
        if self._random.random() < 0.2:
            return v.Compare(v.Sum("phase"), relation, self._one(self._phases))
        number = str(self._random.choice((0, 1, 5, 60, 1200)))
        return v.Compare(self._figure(), relation, self._random.choice((number, self._figure())))

    def _figure(self) -> v.Sum:
        whats: list[v.FigureName] = [
            "price", "par", "run", "cash", "shares", "ipo", "pool", "trains left", "high bid",
        ]  # fmt: skip
        what = self._random.choice(whats)
        company, seat = self._one(self._companies), self._one((v.ME, *self._seats))
        if what == "cash":
            return self._random.choice((v.Sum(what, seat=seat), v.Sum(what, of=company)))
        if what == "shares":
            return v.Sum(what, seat=seat, of=company)
        of = {"trains left": self._trains, "high bid": self._privates}.get(what, [company])
        return v.Sum(what, of=self._one(of))
