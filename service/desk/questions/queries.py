"""Answers the questions of an email, from the map to a dry run; changes nothing."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace

from engine import Seat
from engine.events import RoundBegan
from engine.notation import NotationError, names
from engine.notation.plans import examples, plan
from engine.notation.suggest import like
from engine.notation.words import key
from engine.refusal import Illegal
from engine.supposing import TooManyWays, suppose
from engine.wording import cut, listed, whole
from service.commands.command import SHOWN, Command
from service.commands.order_lines import is_order
from service.commands.reading import QUESTION
from service.commands.results import answered, tried, waits
from service.desk.questions import order_answer
from service.desk.questions.sources import Sources
from service.desk.rationing.work_allowance import ALONE, STOPPED, OutOfWork
from service.games import changes, seals
from service.games.games import Past
from service.games.offers import IF_NO, waits_for
from service.games.playing import Play, PlayOutcome
from service.games.shown import is_listed
from service.refusal import Refused
from service.reports import Answer, Result, Scene, answers, inquiries, misread, route_answers
from service.reports.rules import rules
from service.reports.tables import Lines, Pairs, Row
from service.said import MISSING_AFTER, REST_NOT_UNDERSTOOD
from service.store import GameLine

_FROM = re.compile(r"(?:from|since)\s+(?:#\s*)?(\d{1,9})", re.IGNORECASE)
_ROUND = re.compile(r"(?:since\s+|of\s+)?((?:SR|OR)\s*\d+(?:\.\d+)?)", re.IGNORECASE)
_MINE = re.compile(r"(?:since\s+)?(?:me|my\s+(?:last\s+)?turn)", re.IGNORECASE)


HOW_TO_ASK = "Write `{word}`, `{word} OR 2`, `{word} from 120`, `{word} 40`."
HOW_TO_ASK_AS_PLAYER = (
    "Write `{word}`, `{word} OR 2`, `{word} from 120`, `{word} 40`, `{word} since me`."
)


def part(past: Sequence[Past], rest: str, seat: Seat, word: str) -> tuple[list[Past], bool]:
    """The actions that a question means, and whether only the latest are shown, if too many.

    Raises Refused with what would work; ``word`` is the question's.
    """
    text = rest.strip()
    if wanted := _ROUND.fullmatch(text):
        return list(past[_began(past, _name(wanted[1])) :]), False
    if since := _FROM.fullmatch(text):
        first = whole(since[1]) or 0
        return [p for p in past if p.number >= first], False
    if seat and _MINE.fullmatch(text):
        own = [place for place, p in enumerate(past) if p.seat == seat]
        return list(past[own[-1] + 1 :] if own else past), False
    if count := whole(text):
        return list(past[-count:]), True
    if text:
        how = HOW_TO_ASK_AS_PLAYER if seat else HOW_TO_ASK
        raise Refused(REST_NOT_UNDERSTOOD, hint=how.format(word=word))
    return list(past), True


HOW_TO_ASK_MAP = "Write `map`, `map text` without the picture, or `map OR 2.1`."
KEPT_BY_MAIL = "Former positions are kept of games by email only."


def at_the_end_of(past: Sequence[Past], rest: str) -> Past | None:
    """The action that ended a round, None before that; Refused as `part`."""
    wanted = _ROUND.fullmatch(rest.strip())
    if wanted is None:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_TO_ASK_MAP)
    began = _began(past, _name(wanted[1]))
    later = (p for p in past[began + 1 :] if any(isinstance(e, RoundBegan) for e in p.events))
    return next(later, None)


def _name(text: str) -> str:
    return re.sub(r"(SR|OR)\s*", lambda found: f"{found[1]} ", text.upper())


NO_SUCH_ROUND = "{round} is not among the rounds that can be told here."


def _began(past: Sequence[Past], name: str) -> int:
    """The index of the action by which a round began."""
    for place, act in enumerate(past):
        for event in act.events:
            if isinstance(event, RoundBegan) and f"{event.round}.".startswith(f"{name}."):
                return place
    raise Refused(NO_SUCH_ROUND.format(round=name), hint="`history` shows the latest ones.")


#: words before the name of a thing that have no meaning
_ARTICLE = re.compile(r"^(?:an? |the |my |our |(?:private )?company )+", re.IGNORECASE)
#: a free question about one thing
_WHAT_IS = re.compile(
    r"what(?:'s| is| are| does| do) (?:an? |the |my )?([^?,]{1,40}?)"
    r"(?: do| does| mean| means| work| good for)?(?: exactly| here)?[?!. ]{0,4}",
    re.IGNORECASE,
)
_WITH = re.compile(r"(.*?)(?:^|\s)with\b\s*:?\s*(.*)", re.IGNORECASE | re.DOTALL)
_KEPT = re.compile(r"(orders|diary)(?:\s+from\s+(\d{1,6}))?", re.IGNORECASE)

#: most commands of one dry run, and most questions answered in one email
MOST_TRIED = 60
MOST_ANSWERED = 12
#: most names that are listed if none was understood
MOST_NAMED = 14
#: most characters of the plan of `routes`
LONGEST_PLAN = 400

ASK_IN_THE_NEXT = "An email gets {most} answers at most: ask again in the next."
ANSWERED_NEXT = "Waybill works this out next, and sends the answer in a separate email."
ORGANISER_CHOOSES = "The organizer chooses who may see the game's page."
ASK_THE_ORGANIZER = (
    "The organizer writes `pages public`, `pages unlisted` or `pages private`, in a reply to "
    "the email about the game's creation."
)

NOT_POSSIBLE = "`{word}` is not possible here."
NO_TILE = "“{text}” is not a tile here."
WAITS_FOR_YOU = "WAITS UNTIL YOU HAVE ANSWERED (nobody else sees this)"
WAITS_FOR = "WAITS UNTIL {name} HAS ANSWERED (nobody else sees this)"
NAME_A_HEX = "Name a hex: `tiles C4`."
WRITE_IT_ALONE = "Write `{word}`, and nothing after it."
MAP_IS_PNG = "The map is sent as PNG only."
LONG_PLAN = "That plan is too long."
NO_ORDER_IS_TRIED = "`{order}` is an advance order, which `try` does not take."
GIVE_IT_WITHOUT_TRY = (
    "Give it without `try`: then `explain` tells what it would do, and `clear` drops it."
)
NOTHING_TO_TRY = "The game is over, nothing can be tried."
TRIED = "TRIED (nothing was done)"
WAITS_FOR_ANSWER = "waits for {name}'s answer"
NOT_TRIED = "not tried"


IN_YOUR_WORDS = (
    "Waybill does not understand free questions. `help WORD` explains a word, `status` shows the "
    "position, and `say: …` asks the other players."
)
YOU_MAY = "This is what you may do now:"
NOT_EITHER = "Waybill does not understand this question either."


class Queries:
    """The questions of one reader about one position."""

    def __init__(self, scene: Scene, seat: str, sources: Sources = Sources()) -> None:
        """``seat`` is "" for a reader who does not play."""
        assert sources.ahead is None or sources.ahead.seat == seat
        self._scene, self._seat, self._sources = scene, seat, sources
        self._answered = 0
        #: whether a free question of this email has been answered with what may be done
        self._told_options = False
        #: questions for which this email has no work left, to be answered in a separate email
        self.postponed: list[Command] = []

    def answer(self, command: Command) -> Result:
        """The answer to one command; of very many commands only the first get one."""
        self._answered += 1
        if self._answered > MOST_ANSWERED:
            notes = (ASK_IN_THE_NEXT.format(most=MOST_ANSWERED),)
            return Result(command.number, command.shown, "ignored", notes=notes)
        return tried(self._within_limits, command)

    def _within_limits(self, command: Command) -> Result:
        """The answer to one command. Raises Refused."""
        others = self._answered > 1
        try:
            with self._sources.work.question() if self._sources.work else nullcontext() as purse:
                answer = self._find(command)
        except OutOfWork as why:
            if not (why.later and self._sources.postpones):
                raise
            self.postponed.append(command)
            return waits(command, ANSWERED_NEXT)
        except NotationError as error:
            return misread(command.number, command.shown, error)
        if purse is not None and purse.short:
            note = Lines("", (ALONE if others else STOPPED,))
            answer = replace(answer, blocks=(*answer.blocks, note))
        for figure in answer.figures:
            if self._sources.work:
                self._sources.work.drew(figure.svg)
        return answered(command, answer, command.shown)

    def _find(self, command: Command) -> Answer:
        """The answer. Raises Refused or NotationError with a reason and what would work."""
        scene, rest = self._scene, command.rest
        match command.word:
            case "status":
                return self._status(rest)
            case "map":
                return self._map(rest)
            case "market" | "trains" as word if rest:
                raise Refused(REST_NOT_UNDERSTOOD, hint=WRITE_IT_ALONE.format(word=word))
            case "market":
                return answers.market(scene)
            case "options" if self._seat:
                return answers.options(scene, self._seat)
            case "tiles":
                return self._tiles(rest)
            case "routes":
                return routes_of(scene, rest)
            case "trains":
                return answers.trains(scene)
            case "history":
                return self._history(rest)
            case "log":
                return self._log(rest)
            case "help" if self._sources.help is not None:
                return self._help_on(rest)
            case "orders" if self._seat:
                return order_answer.listed(self._sources.book, self._seat)
            case "explain" if self._seat:
                return order_answer.explain(
                    scene.title, scene.state, self._seat, self._sources.book
                )
            case "clock" if self._sources.clock:
                return self._sources.clock
            case "upgrades" | "reach" | "worth" | "rules":
                return self._inquire(command.word, rest)
            case word if word == QUESTION and self._seat:
                return self._in_own_words(rest)
            case "page" if self._sources.page is not None:
                if rest:
                    raise Refused(ORGANISER_CHOOSES, hint=ASK_THE_ORGANIZER)
                return self._sources.page()
            case "forum" if self._sources.paste is not None:
                return self._sources.paste(rest)
            case "games":
                return Answer((games_block(self._sources.games, (self._scene.game,)),))
            case "try" if self._seat:
                return self._try(rest)
            case _:
                raise Refused(NOT_POSSIBLE.format(word=command.word), hint="`help` lists what is.")

    def _inquire(self, word: str, rest: str) -> Answer:
        """Upgrades of a tile, hexes for tokens, everybody's worth, or a section of the rules."""
        scene = self._scene
        if word == "upgrades":
            tiles = {key(tile): tile for tile in scene.title.tiles}
            found = tiles.get(key(rest.removeprefix("tile").strip()))
            if found is None:
                raise Refused(
                    NO_TILE.format(text=cut(rest, SHOWN)), hint="Write it as in `upgrades 57`."
                )
            return inquiries.become(scene, found)
        if word == "reach":
            return inquiries.reach(scene, company_of(self._scene, rest) or scene.view.company)
        if word == "worth":
            seats = names.seats(scene.state.seats)
            return inquiries.worth(scene, _one(seats, rest, "player") if rest else "")
        return rules(scene.title, rest)

    def _status(self, rest: str) -> Answer:
        """The position; the whole of it includes the reader's own commands that wait."""
        answer = answers.status(self._scene, self._named(rest))
        if rest or self._sources.ahead is None:
            return answer
        asked = waits_for(self._seat, self._scene.state)
        heading = WAITS_FOR_YOU if asked == self._seat else WAITS_FOR.format(name=asked)
        no = (IF_NO.format(command=command.shown) for command in self._sources.ahead.instead)
        own = Lines(heading, (*no, *(command.shown for command in self._sources.ahead.commands)))
        return replace(answer, blocks=(answer.blocks[0], own, *answer.blocks[1:]))

    def _help_on(self, rest: str) -> Answer:
        """Help on a command or a term; otherwise what is known of the thing that is named."""
        assert self._sources.help is not None
        # "New Decatur Yards" begins like a command
        if len(rest.split()) > 1 and (found := self._on_thing(rest)):
            return found
        try:
            return self._sources.help(rest)
        except Refused:
            if found := self._on_thing(rest):
                return found
            raise

    def _in_own_words(self, text: str) -> Answer:
        """The help on what a free question names alone; otherwise what may be done now, once."""
        asked = _WHAT_IS.fullmatch(text.strip())
        if asked and self._sources.help is not None:
            with suppress(Refused):
                return self._help_on(asked[1])
        if self._told_options:
            return Answer((Lines("", (NOT_EITHER,)),))
        self._told_options = True
        if self._seat not in self._scene.view.to_act:
            return Answer((Lines("", (IN_YOUR_WORDS,)),))
        options = answers.options(self._scene, self._seat)
        told = Lines("", (f"{IN_YOUR_WORDS} {YOU_MAY}",))
        return replace(options, blocks=(told, *options.blocks))

    def _on_thing(self, rest: str) -> Answer | None:
        """What is known of a company, private company, player, train's name, tile or hex."""
        scene = self._scene
        text = _ARTICLE.sub("", rest.strip())
        if names.match(self._nameable(), text):
            return self._status(text)
        chits = names.match(names.plain("", inquiries.name_chits(scene.title)), text)
        if len(chits) == 1:
            return inquiries.train_name(scene, chits[0].id)
        tiles = {key(tile): tile for tile in scene.title.tiles}
        if tile := tiles.get(key(text.removeprefix("tile"))):
            return inquiries.become(scene, tile)
        if len(hexes := names.match(names.places(scene.title), text)) == 1:
            return answers.tiles(scene, hexes[0].id)
        return None

    def _named(self, text: str) -> str:
        """A company, a private company or a player as the engine spells it; "" for none."""
        return _one(self._nameable(), text, "company, private or player") if text else ""

    def _nameable(self) -> tuple[names.Name, ...]:
        """Companies, private companies and players."""
        title, seats = self._scene.title, self._scene.state.seats
        return (*names.companies(title), *names.privates(title), *names.seats(seats))

    def _tiles(self, rest: str) -> Answer:
        if rest.strip().lower() == "left":
            return answers.tiles_left(self._scene)
        where, _, company = rest.partition(" for ")
        if not where.strip():
            raise Refused(MISSING_AFTER, hint=NAME_A_HEX)
        hex_ = _one(names.places(self._scene.title), where, "hex")
        return answers.tiles(self._scene, hex_, company_of(self._scene, company.strip()))

    def _history(self, rest: str) -> Answer:
        if found := _KEPT.fullmatch(rest.strip()):
            start = int(found[2] or 1)
            shown = seals.diary_block if found[1].lower() == "diary" else seals.orders_block
            return Answer(shown(self._sources.kept, start))
        past, latest = part(self._sources.log.past, rest, self._seat, "history")
        title = self._scene.title
        first = past[0].number if past else self._scene.state.number + 1
        said = tuple(s for s in self._sources.log.said if s.number >= first)
        told = tuple(p.narrated(title) for p in past)
        sealed = tuple(one for one in self._sources.kept.seals if one[0] >= first)
        voted = tuple(one for one in self._sources.voted if one[0] >= first)
        return answers.history(told, said, latest=latest, sealed=sealed, voted=voted)

    def _log(self, rest: str) -> Answer:
        """The commands that led here, in notation."""
        past, latest = part(self._sources.log.past, rest, self._seat, "log")
        every = [(act.number, f"{act.seat}: {act.command}") for act in past if act.command]
        return answers.log(every, latest=latest)

    def _map(self, rest: str) -> Answer:
        """The map as it is, or as it was at the end of a round."""
        word = rest.strip().lower()
        if word == "pdf":
            raise Refused(MAP_IS_PNG, hint="Write `map`, or `map text` without the picture.")
        if word in ("", "png", "text"):
            answer = answers.map_(self._scene)
            return replace(answer, figures=()) if word == "text" else answer
        ended = at_the_end_of(self._sources.log.past, rest)
        if ended is None:
            return answers.map_(self._scene)
        if self._sources.former is None or not ended.occasion:
            raise Refused(KEPT_BY_MAIL, hint="`undo` goes back here.")
        return answers.map_(self._scene.later(self._sources.former(ended.number)))

    def _try(self, plan: str) -> Answer:
        """The result of commands on a copy of the position, for the player whose turn it is."""
        commands = [Command(0, "play", text, text) for text in plan.split("\n") if text.strip()]
        if not commands:
            raise Refused(MISSING_AFTER, hint="Add a plan: `try: lay 57 C4; run; pay`.")
        if len(commands) > MOST_TRIED:
            raise Refused(LONG_PLAN, hint=f"A plan may have {MOST_TRIED} commands at most.")
        if order := next((c.text for c in commands if is_order(c.text)), ""):
            raise Refused(
                NO_ORDER_IS_TRIED.format(order=cut(order, SHOWN)), hint=GIVE_IT_WITHOUT_TRY
            )
        actors = self._scene.view.to_act
        if not actors:
            raise Refused(NOTHING_TO_TRY)
        seat = self._seat if self._seat in actors else actors[0]
        play = Play(self._scene.title, self._scene.state, seat, self._scene.state.number + 1)
        return self._tried(changes.carry_out(play, commands, keep_open=True), play)

    def _tried(self, outcome: PlayOutcome, play: Play) -> Answer:
        rows = []
        for step in outcome.steps:
            if step.fault is not None:
                reasons = (step.fault.text, *step.fault.hint.split("\n"))
                rows.append(Row(f"NO  {step.command.rest}", tuple(r for r in reasons if r)))
            elif step.settled:
                rows.append(Row(f"ok  {step.command.rest}", (step.settled,)))
            elif step.waits:
                rows.append(
                    Row(f"..  {step.command.rest}", (WAITS_FOR_ANSWER.format(name=step.waits),))
                )
            elif step.played is None:
                rows.append(Row(f"--  {step.command.rest}", (NOT_TRIED,)))
            else:
                rows.append(Row(f"ok  {step.played.text}", step.played.narrated(play.title)))
        rows += [Row("", (doubt,)) for doubt in outcome.unless]
        figures = answers.map_(self._scene.later(outcome.state)).figures if outcome.done else ()
        return Answer((Pairs(TRIED, tuple(rows)),), figures)


LISTED_GAME = "{game} ({title}): {status}"
NO_GAMES = "There are none yet."


def games_block(games: Sequence[GameLine], own: Collection[str] = ()) -> Lines:
    """The games of this service, a line for each: the listed ones, and the reader's ``own``."""
    told = [row for row in games if is_listed(row) or row.name in own]
    lines = (LISTED_GAME.format(game=row.name, title=row.title, status=row.status) for row in told)
    return Lines("GAMES", tuple(lines) or (NO_GAMES,))


def company_of(scene: Scene, text: str) -> str:
    """The named company, "" for no name; Refused with what it could mean."""
    return _one(names.companies(scene.title), text, "company") if text else ""


def routes_of(scene: Scene, text: str) -> Answer:
    """The answer to `routes` with the text after it: "TC", "TC with 4+3, lay 57 C9".

    Without a company it is the operating one. Raises Refused or NotationError with what is
    wrong and what would work.
    """
    name, plan_text = _before_with(scene, text.strip())
    company = company_of(scene, name) or scene.view.company
    if plan_text is None:
        return route_answers.routes(scene, company)
    with _in_words():
        wanted = plan(scene.title, scene.state, company, cut(plan_text, LONGEST_PLAN))
        return route_answers.supposed(scene, company, wanted, plan_text)


def supposed_of(scene: Scene, company: str, plan_text: str) -> Scene:
    """The position after a plan has come true; raises Refused or NotationError."""
    with _in_words():
        wanted = plan(scene.title, scene.state, company, cut(plan_text, LONGEST_PLAN))
        return scene.later(suppose(scene.title, scene.state, company, wanted).state)


TOO_MANY_WAYS = "That leaves too many ways open."


@contextmanager
def _in_words() -> Iterator[None]:
    """Turns the errors of a plan into a refusal."""
    try:
        yield
    except Illegal as illegal:
        raise Refused.of(illegal.refusal) from illegal
    except TooManyWays:
        raise Refused(
            TOO_MANY_WAYS, hint="Name the exits of the tiles, as in `lay TILE HEX EXIT-EXIT`."
        ) from None


NOT_UNDERSTOOD = "“{word}” is not understood here."
MEANT_WITH = "Did you mean `with`?"
AS_IN = "As in `{start}` or `{start} with {trains}, {tile}`."


def _before_with(scene: Scene, text: str) -> tuple[str, str | None]:
    """The name before "with" and the text after it, None without the word."""
    found = _WITH.fullmatch(text)
    if found:
        return found[1].strip(), found[2]
    words = text.replace(",", " ").split()
    known = names.companies(scene.title)
    if len(words) > 1 and not names.match(known, text) and names.match(known, words[0]):
        told = [NOT_UNDERSTOOD.format(word=cut(words[1], SHOWN))]
        told += [MEANT_WITH] if like(words[1], ("with",)) else []
        start = f"routes {names.match(known, words[0])[0].id}"
        trains, _, tile, _ = examples(scene.title)
        how = AS_IN.format(start=start, trains=trains, tile=tile)
        raise Refused(" ".join(told), hint=how)
    return text, None


IS_NONE = "“{text}” is not a {kind} here."
THERE_ARE = "There are {names}."
MEANT = "Did you mean {names}?"


def _one(known: Sequence[names.Name], text: str, kind: str) -> str:
    """The one thing that a text means; Refused with what it could mean."""
    found = {name.id for name in names.match(known, text)}
    if len(found) == 1:
        return found.pop()
    near = sorted(found) or names.nearest(known, text)
    every = list(dict.fromkeys(name.id for name in known))
    told = [IS_NONE.format(text=cut(text, SHOWN), kind=kind)]
    if near:
        told.append(MEANT.format(names=", ".join(near)))
    elif len(every) <= MOST_NAMED:
        told.append(THERE_ARE.format(names=listed(every)))
    raise Refused(" ".join(told))
