"""Plays whole games of bots, checks every action, and sums up; knows no terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from engine.actions import Action
from engine.facts.title import Title
from engine.flow import Outcome, apply, new_game, to_act
from engine.invariants import Broken, check_state
from engine.play.ending import worth
from engine.position import codec
from engine.position.table import Table
from engine.position.values import Seat, State
from engine.refusal import Illegal
from service.workshop.practice.bots import Bot, Listener, bot_makers
from service.workshop.practice.by_mail import differs
from service.workshop.practice.invariants import check
from service.workshop.practice.legality import check_options, check_refusals
from service.workshop.practice.occurrences import happened, privates_used, worth_counting

#: names of players, in order of the alphabet
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
#: games longer than this do not end by themselves
CAP = 6_000


@dataclass(frozen=True)
class Checks:
    """How closely a game is checked: one position in so many in each way, 0 for never.

    Conserved quantities are checked after every action unless ``steps`` is 0.
    """

    steps: int = 1
    codec: int = 10
    options: int = 25
    refusals: int = 25
    #: options that are played in a tested position, 0 for all
    most: int = 12


SAMPLED = Checks()
UNCHECKED = Checks(0, 0, 0, 0, 0)


UNFINISHED = "it was not over after {actions} actions, in {round}"


@dataclass
class SelfPlayedGame:
    """A game, as far as it was played."""

    title: Title
    players: tuple[Seat, ...]
    seed: int
    start: State
    final: State
    actions: list[Action] = field(default_factory=list)
    #: the position before each action, and the last one
    states: list[State] = field(default_factory=list)
    seconds: float = 0.0
    #: the broken invariant, "" if all held
    broken: str = ""
    #: how often each verb, each kind of power and each private company was used
    verbs: Counter[str] = field(default_factory=Counter)
    powers: Counter[str] = field(default_factory=Counter)
    privates: Counter[str] = field(default_factory=Counter)
    #: how often rare events happened
    happened: Counter[str] = field(default_factory=Counter)

    @property
    def ends(self) -> str:
        """The cause of the end, "unfinished", or "broken"."""
        if self.broken:
            return "broken"
        if self.final.stack or self.final.ending is None:
            return "unfinished"
        return self.final.ending.cause

    @property
    def clean(self) -> bool:
        """Whether it was played to its end and all invariants held."""
        return self.ends not in ("broken", "unfinished")

    @property
    def why_unclean(self) -> str:
        """The reason why it was not clean; "" if it was."""
        if self.clean:
            return ""
        unfinished = UNFINISHED.format(actions=len(self.actions), round=self.final.round)
        return self.broken or unfinished

    def as_dict(self) -> dict[str, object]:
        """The game as one object for JSON; money in dollars, time in seconds."""
        table = Table(self.title, self.final)
        return {
            "title": self.title.name,
            "variants": sorted(self.title.variants),
            "players": len(self.players),
            "seed": self.seed,
            "actions": len(self.actions),
            "seconds": round(self.seconds, 3),
            "clean": self.clean,
            "ends": self.ends,
            "round": str(self.final.round),
            "phase": self.final.phase,
            "worth": {seat: worth(table, seat) for seat in self.final.seats},
            "broken": self.broken,
            "digest": codec.digest(self.final),
        }


@dataclass
class Summary:
    """The results of a number of games."""

    title: str
    variants: tuple[str, ...]
    bot: str
    seed: int
    games: int = 0
    clean_games: int = 0
    actions: int = 0
    seconds: float = 0.0
    ends: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    powers: Counter[str] = field(default_factory=Counter)
    #: uses of each private company, and the number of rare events, zeros included
    privates: Counter[str] = field(default_factory=Counter)
    happened: Counter[str] = field(default_factory=Counter)
    #: seeds of games with faults, and the fault of each
    unclean: list[int] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def add(self, game: SelfPlayedGame) -> None:
        """Count a game."""
        self.games += 1
        self.clean_games += game.clean
        self.actions += len(game.actions)
        self.seconds += game.seconds
        self.ends[game.ends] += 1
        self.verbs += game.verbs
        self.powers += game.powers
        self.privates.update(dict.fromkeys(_useful(game.title), 0))
        self.privates.update(game.privates)
        self.happened.update(dict.fromkeys(worth_counting(game.title), 0))
        self.happened.update(game.happened)
        if not game.clean:
            self.unclean.append(game.seed)
            self.reasons.append(game.why_unclean)

    @property
    def clean(self) -> bool:
        """Whether all games were clean."""
        return self.clean_games == self.games

    @property
    def actions_per_second(self) -> int:
        """Actions per second, with bots and checks."""
        return round(self.actions / self.seconds) if self.seconds else 0

    def as_dict(self) -> dict[str, object]:
        """The summary as one object for JSON."""
        return {
            "title": self.title,
            "variants": list(self.variants),
            "bot": self.bot,
            "seed": self.seed,
            "games": self.games,
            "clean": self.clean,
            "clean_games": self.clean_games,
            "actions": self.actions,
            "seconds": round(self.seconds, 3),
            "actions_per_second": self.actions_per_second,
            "ends": dict(self.ends.most_common()),
            "verbs": dict(self.verbs.most_common()),
            "powers": dict(self.powers.most_common()),
            "privates": dict(self.privates.most_common()),
            "happened": dict(self.happened.most_common()),
            "unclean_seeds": self.unclean,
            "unclean_reasons": self.reasons,
        }

    def lines(self) -> list[str]:
        """The summary for people."""
        found = [
            f"{self.title}: {self.clean_games} of {self.games} games clean, {self.actions} actions "
            f"in {self.seconds:.1f} s ({self.actions_per_second}/s)",
            f"ends    {_counts(self.ends)}",
            f"verbs   {_counts(self.verbs)}",
            f"powers  {_counts(self.powers) or 'none'}",
            f"privates  {_counts(self.privates) or 'none'}",
            f"happened  {_counts(self.happened) or 'nothing rare'}",
        ]
        if self.unclean:
            found.append(f"not clean: seeds {', '.join(map(str, self.unclean))}")
            pairs = zip(self.unclean, self.reasons, strict=True)
            found += [f"  seed {seed}: {why}" for seed, why in pairs]
        return found


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{what} {count}" for what, count in counter.most_common())


Watcher = Callable[[SelfPlayedGame, State], None]


def play(
    title: Title,
    seed: int,
    bots: Mapping[Seat, Bot],
    checks: Checks = SAMPLED,
    on_step: Watcher | None = None,
    cap: int = CAP,
) -> SelfPlayedGame:
    """Play a game to its end, or to ``cap`` actions, and count what happened.

    The players are those of ``bots``, in their order. The same title, seed and bots give the same
    game. A broken invariant is noted in
    the game and ends it; ``on_step`` hears of every position.
    """
    began = perf_counter()
    start = new_game(title, tuple(bots), seed).state
    game = SelfPlayedGame(title, tuple(bots), seed, start, start, states=[start])
    watch = _PositionChecks(checks, seed)
    listeners = [bot for bot in bots.values() if isinstance(bot, Listener)]
    try:
        check_state(title, start)
        while (acting := to_act(title, game.final)) and len(game.actions) < cap:
            seat = watch.random.choice(acting)
            outcome = _step(game, bots[seat].choose(title, game.final, seat), watch)
            for bot in listeners:
                bot.saw(seat, outcome.state, outcome.events)
            if on_step:
                on_step(game, game.final)
    except Broken as broken:
        game.broken = f"#{game.final.number} {broken}"
    except Illegal as illegal:
        game.broken = f"#{game.final.number} a bot's action was refused: {illegal}"
    except Exception as fault:  # a bug in the rules ends this game, but not the later ones
        game.broken = f"#{game.final.number} {type(fault).__name__}: {fault}"
    game.seconds = perf_counter() - began
    return game


class _PositionChecks:
    """The positions to check in each way."""

    def __init__(self, checks: Checks, seed: int) -> None:
        self.checks = checks
        self.random = Random(seed)

    def now(self, every: int) -> bool:
        """Whether to check this position."""
        return every == 1 or (every > 1 and self.random.randrange(every) == 0)


def _step(game: SelfPlayedGame, action: Action, watch: _PositionChecks) -> Outcome:
    title, before, checks = game.title, game.final, watch.checks
    kept = codec.encode(before) if watch.now(checks.codec) else None
    if watch.now(checks.options):
        check_options(title, before, watch.random, checks.most)
    if watch.now(checks.refusals):
        check_refusals(title, before, watch.random)
    outcome = apply(title, before, action)
    if watch.now(checks.steps):
        check(title, before, action, outcome, kept)
    game.actions.append(action)
    game.states.append(outcome.state)
    game.final = outcome.state
    game.verbs[verb(action)] += 1
    for private, power in privates_used(title, before, action, outcome):
        game.powers[power] += 1
        game.privates[private] += 1
    game.happened.update(happened(title, before, action, outcome))
    return outcome


def verb(action: Action) -> str:
    """The tag of an action."""
    return str(type(action).__struct_config__.tag)


def _useful(title: Title) -> list[str]:
    """Privates with a power, or with hexes that they bar."""
    return [p for p, facts in title.privates.items() if facts.power or facts.blocks]


@dataclass(frozen=True)
class GameSeries:
    """Games that bots of one kind play.

    Game number n is played from ``seed`` + n, by ``players`` players, or by all allowed numbers of
    them in turn if that is 0.
    """

    games: int = 1
    players: int = 0
    seed: int = 1
    bot: str = "random"


def selfplay(
    title: Title,
    series: GameSeries,
    checks: Checks = SAMPLED,
    on_game: Callable[[SelfPlayedGame], None] | None = None,
    on_step: Watcher | None = None,
) -> Summary:
    """Play a series of games and sum them up.

    ``on_game`` hears of every game when it is over, ``on_step`` of every
    position. Interrupted by the user, it sums up the games that are over. LookupError for an
    unknown kind of bot, ValueError for a number of players that the title cannot have.
    """
    makers, bot = bot_makers(), series.bot
    if bot not in makers:
        raise LookupError(f"no bot {bot}; there are {', '.join(makers)}")
    summary = Summary(title.name, tuple(sorted(title.variants)), bot, series.seed)
    with suppress(KeyboardInterrupt):
        for seed in range(series.seed, series.seed + series.games):
            number = seed - series.seed
            count = series.players or title.seats[number % len(title.seats)]
            bots = {
                name: makers[bot](1000 * seed + place) for place, name in enumerate(NAMES[:count])
            }
            game = play(title, seed, bots, checks, on_step)
            if bot == "ordering" and game.clean:
                game.broken = differs(title, game.start, game.actions, game.final)
            summary.add(game)
            if on_game:
                on_game(game)
    return summary
