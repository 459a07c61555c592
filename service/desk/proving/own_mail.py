"""Mails about how somebody proves who they are: pass phrase, addresses, a game's grade of proof.

Such words stand alone in a mail, of a player or of the organiser, before and after the game began.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from service.audience import of_organiser, of_seat, of_table
from service.desk.letters.post import Desk, at_head
from service.desk.lobby import game_options
from service.desk.seats import addresses
from service.desk.timing.answering import Answering
from service.games.games import GameTable
from service.mail import phrases
from service.mail.message import Mail
from service.reports import Result, answering, lobby_page, note_page
from service.store import Letter, SeatRow, Store, Tx, rations

#: the words of this room
WORDS = ("pass-phrase", "address", *game_options.OPTIONS)
_LINE = re.compile(r"\s*(pass-phrase|[a-z]+)\b\s*:?\s*(.*)", re.I | re.DOTALL)
_ADD = re.compile(r"(?:(add|drop)\b)?\s*(.*)", re.I | re.DOTALL)


@dataclass(frozen=True)
class _Word:
    number: int
    word: str
    rest: str
    text: str


def is_own(mail: Mail) -> bool:
    """Whether a mail has words of this room and no others."""
    return bool(mail.lines) and all(_read(line.number, line.text) for line in mail.lines)


def _read(number: int, text: str) -> _Word | None:
    found = _LINE.fullmatch(text)
    if found is None or found[1].lower() not in WORDS:
        return None
    return _Word(number, found[1].lower(), found[2].strip(), text.strip())


class _Refused(Exception):
    """One word cannot be done, so none is."""

    def __init__(self, results: Sequence[Result]) -> None:
        super().__init__()
        self.results = results


class OwnMail:
    """Handles one such mail of a seat, or of the organiser (``seat`` None)."""

    def __init__(
        self, store: Store, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow | None
    ) -> None:
        self._store = store
        self._desk = desk
        self._mail = mail
        self._table = table
        self._seat = seat
        self._name = table.row.name
        self._reader = of_seat(self._name, seat.name) if seat else of_organiser(self._name)

    def handle(self) -> None:
        """Do all of it or nothing, and answer; raises Conflict if a seat has changed meanwhile."""
        words = [word for line in self._mail.lines if (word := _read(line.number, line.text))]
        who = rations.player(self._name, self._seat.name if self._seat else "", "idle")
        answer = Answering(self._store, self._desk, who)
        hashed = self._hashed()
        try:
            with self._store.transaction() as tx:
                addresses.still(tx, self._table)
                results, letters = self._all(tx, words, hashed)
                self._settle(tx, answer, words[0].word, [*letters, self._receipt(results, False)])
        except _Refused as refused:
            letter = self._receipt(refused.results, True)
            with self._store.transaction() as tx:
                self._settle(tx, answer, words[0].word, [letter])

    def _all(
        self, tx: Tx, words: Sequence[_Word], hashed: str
    ) -> tuple[list[Result], list[Letter]]:
        """What became of each word, and what others are told. Raises _Refused."""
        results: list[Result] = []
        letters: list[Letter] = []
        for place, word in enumerate(words):
            try:
                text, found = self._do(tx, word, hashed)
            except (addresses.NotTaken, game_options.Wrong) as why:
                no = Result(word.number, word.text, "no", notes=(str(why),))
                others = [Result(w.number, w.text, "unsent") for w in words]
                raise _Refused([*others[:place], no, *others[place + 1 :]]) from why
            results.append(Result(word.number, word.text, "ok", notes=(text,)))
            letters += found
        return results, letters

    def _settle(self, tx: Tx, answer: Answering, about: str, letters: Sequence[Letter]) -> None:
        for letter in letters if answer.possible else letters[:-1]:
            tx.queue(letter, self._desk.now)
        note = answer.settle(tx, self._name, self._holder, about)
        tx.finish(self._desk.mail, "done", note or about)

    @property
    def _holder(self) -> str:
        return self._seat.name if self._seat else ""

    def _hashed(self) -> str:
        """The new phrase as it is kept: made before the transaction, for it takes a while."""
        return phrases.kept(self._mail.new_phrase)

    def _do(self, tx: Tx, word: _Word, hashed: str) -> tuple[str, Sequence[Letter]]:
        """What a word means now, and who else is told. Raises NotTaken or Wrong."""
        if word.word == "pass-phrase":
            return self._phrase(tx, word, hashed), ()
        if word.word == "address":
            return self._address(tx, word), ()
        return self._option(tx, word)

    # pass phrases

    def _phrase(self, tx: Tx, word: _Word, hashed: str) -> str:
        game, holder = self._table.row.id, self._reader.name
        what = word.rest.lower()
        if what == "off":
            tx.set_phrase(game, holder, "", self._desk.now)
            return "You have no pass phrase in this game any more."
        if what == "set" and hashed:
            tx.set_phrase(game, holder, hashed, self._desk.now)
            return (
                "Your pass phrase is kept so that nobody can read it, we cannot either. A line "
                "`pass-phrase: …` with it makes a mail to your seat's address count from wherever "
                "you write."
            )
        new = self._mail.new_phrase
        why = phrases.unfit(new) if new else "Put the words behind it, in the same line."
        if what == "set":
            raise addresses.NotTaken(f"{why} `pass-phrase set …` chooses it.")
        if what:
            raise addresses.NotTaken("Write `pass-phrase set …`, `pass-phrase off`.")
        has = bool(tx.phrase(game, holder))
        state = "You have a pass phrase in this game" if has else "You have no pass phrase here yet"
        return f"{state}. `pass-phrase set …` chooses one, `pass-phrase off` drops it."

    # addresses

    def _address(self, tx: Tx, word: _Word) -> str:
        found = _ADD.fullmatch(word.rest)
        assert found is not None
        what, rest = (found[1] or "").lower(), found[2].split()
        seat, of = self._whose(rest)
        rest = rest[1:] if of else rest
        if what == "drop" and not rest:
            tx.drop_further(seat.id)
            return f"{seat.name} has one address in {self._name}, and none is asked for."
        if not rest and not what:
            known = [one.address for one in tx.further(seat.id) if one.stands]
            also = f" and also {known[0]}" if known else ""
            return f"Mails of {self._name} go to {seat.address}{also}."
        if len(rest) != 1:
            raise addresses.NotTaken(
                "Write `address NEW` for another address, `address add NEW` for a second one, "
                "`address drop` to be left with the first."
            )
        if what == "add" and of:
            raise addresses.NotTaken("A second address is for its player to add.")
        kind: Literal["move", "second"] = "second" if what == "add" else "move"
        told, letter, row = addresses.ask(tx, self._desk, self._table, seat, kind, rest[0])
        addresses.keep(tx, row, self._desk.now)
        tx.queue(letter, self._desk.now)
        return told

    def _whose(self, words: Sequence[str]) -> tuple[SeatRow, bool]:
        """The seat that an address is for, and whether it was named: the organiser may name one."""
        first = words[0].casefold() if words else ""
        named = next((s for s in self._table.players if s.name.casefold() == first), None)
        if named is not None and self._organises:
            return named, True
        if self._seat is not None:
            return self._seat, False
        raise addresses.NotTaken("Write whose: `address Bob bob@example.org`.")

    @property
    def _organises(self) -> bool:
        return self._seat is None or self._table.row.organiser == self._seat.address

    # what a game asks for

    def _option(self, tx: Tx, word: _Word) -> tuple[str, Sequence[Letter]]:
        if not self._organises:
            raise game_options.Wrong(f"Only the organiser of {self._name} may choose that.")
        option = game_options.OPTIONS[word.word]
        settings, text = option.choose(self._table.settings, word.rest)
        coded = msgspec.json.encode(settings)
        self._table = replace(self._table, row=replace(self._table.row, settings=coded))
        tx.set_settings(self._table.row.id, coded)
        return text, self._tell_all(word, text)

    def _tell_all(self, word: _Word, text: str) -> Sequence[Letter]:
        """To all players but the one who chose: nobody shall be surprised."""
        about = self._desk.house.about(self._name, self._table.title)
        headline = f"The organiser has chosen: {word.text}."
        page = note_page(
            of_table(self._name), f"[{self._name}] {word.text}", headline, (text,), about=about
        )
        own = self._seat.address if self._seat else self._table.row.organiser
        return [
            self._desk.to_seat(f"option-{word.word}", at_head(self._table), seat, page)
            for seat in self._table.players
            if seat.address != own
        ]

    # the answer

    def _receipt(self, results: Sequence[Result], bad: bool) -> Letter:
        page = lobby_page(
            self._reader,
            answering(self._mail.subject, "NOT DONE" if bad else "done"),
            "NOT DONE: what is marked NO was not done." if bad else "DONE.",
            results,
            (),
            self._desk.house.about(self._name, self._table.title),
        )
        if self._seat is None:
            return self._desk.to_organiser("receipt", self._table.row, page, self._mail)
        at = at_head(self._table)
        return self._desk.to_seat("receipt", at, self._seat, page, answers=self._mail)
