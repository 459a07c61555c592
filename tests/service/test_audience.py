"""Who reads a page: what speaks for a seat reaches its player and nobody else."""

import ast
import importlib
import inspect
import pkgutil
from dataclasses import replace
from pathlib import Path

import pytest

from engine.telling.narration import Sentence
from service import reports
from service.audience import (
    EVERYBODY,
    OPERATOR,
    ORGANISER,
    Audience,
    OnlyFor,
    WrongReader,
    of_list,
    of_observers,
    of_organiser,
    of_seat,
    of_table,
    owner_of,
    without_tokens,
)
from service.desk.letters.desk import AtPosition, Desk
from service.mail import identity
from service.mail.message import Mail
from service.reports import (
    About,
    Answer,
    Confirmable,
    Handled,
    Narrated,
    Page,
    PageLook,
    Result,
    Said,
    Since,
    note_page,
    turn_page,
)
from service.reports.briefing import Brief
from service.reports.letters import LetterText, Waits
from service.reports.tables import Lines
from service.store import Occasion
from tests.service.players import ADDRESS, GAME, SECRET, address
from tests.service.reports.games import TITLE, run_scene

ANN, BOB = of_seat("dixie7", "Ann"), of_seat("dixie7", "Bob")
TOKEN = identity.seat_token(SECRET, "dixie7", "Bob", 0)
#: Bob's address, and a Message-ID of a letter to them, as a player may quote them
QUOTED = (
    f"play+dixie7.bob.{TOKEN}.12@example.org",
    f"<dixie7.bob.{TOKEN}.s12-turn-mail-7@example.org>",
    f"play%2Bdixie7.bob.{TOKEN.upper()}%40example.org",
)


# ---------------------------------------------------------------------------- readers


@pytest.mark.parametrize(
    ("audience", "readers"),
    [
        (EVERYBODY, "ann bob organiser table operator other everybody list observers"),
        (of_table("dixie7"), "ann bob organiser table"),
        (ANN, "ann"),
        (of_organiser("dixie7"), "organiser"),
        (OPERATOR, "operator"),
        (of_list("dixie7"), "list"),
        (of_observers("dixie7"), "observers"),
    ],
)
def test_an_audience_covers_its_own_readers_and_no_others(audience, readers):
    known = {
        "ann": ANN,
        "bob": BOB,
        "organiser": of_organiser("dixie7"),
        "table": of_table("dixie7"),
        "operator": OPERATOR,
        "other": of_seat("dixie8", "Ann"),
        "everybody": EVERYBODY,
        "list": of_list("dixie7"),
        "observers": of_observers("dixie7"),
    }
    assert {name for name, reader in known.items() if audience.covers(reader)} == set(
        readers.split()
    )


def test_a_value_for_one_reader_opens_for_nobody_else_and_is_never_written():
    own = OnlyFor(ANN, QUOTED[0])
    assert own.open(ANN) == QUOTED[0]
    for reader in (BOB, of_table("dixie7"), of_organiser("dixie7"), EVERYBODY, OPERATOR):
        with pytest.raises(WrongReader):
            own.open(reader)
    with pytest.raises(WrongReader):
        f"write to {own}"
    assert TOKEN not in repr(own)


def test_the_address_of_a_seat_is_its_own_and_that_of_an_organiser_theirs(players):
    for name in ("Ann", ORGANISER):
        made = players.service.seat_address(owner_of(GAME, name))
        assert made.audience == owner_of(GAME, name)
        claim = identity.read_address(made.open(owner_of(GAME, name)), ADDRESS)
        assert identity.verify(SECRET, claim, name, 0)


@pytest.mark.long
def test_nobody_but_the_house_makes_addresses_of_seats():
    """Whoever makes one gets it as a value that only its reader can open."""
    makers = set()
    for path in sorted((Path(reports.__file__).parents[1]).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node) in (
                "identity.seat_address",
                "identity.message_id",
                "identity.seat_token",
            ):
                makers.add(path.name)
            if isinstance(node, ast.ImportFrom) and node.module == "service.mail.identity":
                assert not {a.name for a in node.names} & {
                    "seat_address", "message_id", "seat_token", "one_time",
                }  # fmt: skip
    assert makers == {"service.py"}


# ---------------------------------------------------------------------------- page makers


def makers():
    """Every function of the reports that makes a page."""
    for module in pkgutil.walk_packages(reports.__path__, "service.reports."):
        loaded = importlib.import_module(module.name)
        for name, found in inspect.getmembers(loaded, inspect.isfunction):
            annotated = inspect.signature(found).return_annotation
            if found.__module__ == module.name and annotated in (Page, "Page"):
                yield pytest.param(found, id=name)


PAGE_CHANGERS = ("linked", "noted", "plain", "without")


def quoting(word):
    """What each argument of a page maker may hold, every text of it with ``word``."""
    said = Said("Ann", f"write to {word}", 1)
    told = Narrated(1, "Ann", (Sentence(f"named {word}", "Ann"),))
    note = f"see {word}"
    answer = Answer((Lines(note, (note,)),))
    results = [
        Result(1, note, "no", note, (note,)),
        Result(2, note, "answer", note, (), answer),
        Result(3, f"{note}\n   ^", "no", "", (f"{note}\n   ^", note)),
    ]
    return {
        "scene": replace(run_scene(), link=note),
        "since": Since((told,), (said,)),
        "said": (said,),
        "look": PageLook(False),
        "pictures": False,
        "handled": Handled(results, False, note),
        "results": results,
        "answer": answer,
        "words": LetterText(note, note, (Lines(note, (note,)),)),
        "about": About("dixie7", TITLE, True, note, templates=None),
        "title": TITLE,
        "asked": Confirmable("48213377", (note,), "tomorrow"),
        "waits": Waits(note, (note,)),
        "brief": OnlyFor(ANN, Brief(note, (), (note,), note)),
        "opened": (Lines(note, (note,)),),
        "opening": (Lines(note, (note,)),),
        "latest": [(note, note, note, note)],
        "mail": 7,
        "number": 3,
        "word": "",
        "kind": "note",
        "template": "letter",
        "buttons": (),
        "figures": (),
        "templates": None,
        "sizes": ({"headline": note},),
    }


def called(maker, to, word, reply_to=None):
    """A page of the maker, whose texts all quote ``word``."""
    samples = quoting(word)
    found = {}
    for name, parameter in list(inspect.signature(maker).parameters.items())[1:]:
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            found |= {
                "headline": word, "blocks": (Lines(word, (word,)),), "game": word, "title": word,
                "seat": word, "mark": "", "number": 1, "link": word, "provenance": (word,),
                "buttons": (), "reply_to": reply_to,
            }  # fmt: skip
        elif name in samples:
            found[name] = samples[name]
        elif "OnlyFor" in str(parameter.annotation):
            found[name] = reply_to
        elif "Sequence[" in str(parameter.annotation):
            found[name] = (f"see {word}",)
        else:
            assert "str" in str(parameter.annotation), name
            found[name] = f"see {word}"
    return maker(to, **found)


EVERY = [found for found in makers() if found.id not in PAGE_CHANGERS]


def test_the_page_makers_are_found():
    names = {found.id for found in EVERY}
    assert {
        "turn_page", "receipt_page", "news_page", "round_page", "ended_page", "void_page",
        "note_page", "answer_page", "lobby_page", "briefing_page", "foreign_page", "renewed_page",
        "away_page", "unknown_page", "fault_page", "faults_page", "stranger_page",
        "confirm_page", "joined_page", "welcome_page", "created_page", "letter", "page",
    } <= names  # fmt: skip


@pytest.mark.parametrize("maker", EVERY)
def test_every_page_maker_asks_first_for_whom_it_is(maker):
    first = next(iter(inspect.signature(maker).parameters.values()))
    assert (first.name, first.annotation) == ("to", Audience)


@pytest.mark.parametrize("maker", EVERY)
@pytest.mark.parametrize("word", QUOTED, ids=["address", "message-id", "link"])
def test_no_page_tells_a_token_that_somebody_quotes(maker, word):
    page = called(maker, ANN, word, OnlyFor(ANN, "play+own@example.org"))
    assert page.audience == ANN
    for text in (page.subject, page.text, page.html):
        assert TOKEN not in text.lower()


@pytest.mark.parametrize("maker", EVERY)
def test_no_page_opens_what_is_for_another_reader(maker):
    takes = inspect.signature(maker).parameters.values()
    if not any("OnlyFor" in str(p.annotation) or p.kind is p.VAR_KEYWORD for p in takes):
        assert "reply_to" not in inspect.signature(maker).parameters
        return
    for reader in (BOB, of_seat("dixie8", "Ann")):
        try:
            page = called(maker, reader, "nothing", OnlyFor(ANN, QUOTED[0]))
        except WrongReader:
            continue
        # it leaves out what is for another, unopened
        assert "reply_to" not in inspect.signature(maker).parameters
        assert TOKEN not in page.subject + page.text + page.html


def test_a_turn_mail_bears_the_address_of_its_own_seat():
    page = turn_page(ANN, run_scene(), Since(), PageLook(False), reply_to=OnlyFor(ANN, QUOTED[0]))
    assert TOKEN in page.html


def test_what_only_looks_like_an_address_stays_in_a_page():
    text = "see e.g. www.example.abcdefghijklmnop and tests.service.players"
    assert text in " ".join(
        note_page(ANN, "x", "y", (text,), about=About(templates=None)).text.split()
    )
    assert without_tokens(text) == text


# ---------------------------------------------------------------------------- letters


def desk(players):
    return Desk(players.service, players.now, Occasion("test", "test-1", GAME))


def test_no_letter_carries_a_page_that_is_for_others(players):
    table, write = players.table(), desk(players)
    ann, bob = table.seat("Ann"), table.seat("Bob")
    at = AtPosition(GAME, 1)

    def page(to):
        return note_page(to, "x", "y", ("z",), about=About(templates=None))

    assert write.to_seat("note", at, ann, page(of_seat(GAME, "Ann"))).recipient == ann.address
    assert write.to_seat("note", at, bob, page(of_table(GAME))).recipient == bob.address
    assert write.to_organiser("note", table.row, page(of_table(GAME)))
    for wrong in (of_seat(GAME, "Ann"), of_seat("dixie8", "Bob"), of_organiser(GAME), OPERATOR):
        with pytest.raises(WrongReader):
            write.to_seat("note", at, bob, page(wrong))
    for wrong in (of_seat(GAME, "Ann"), of_table("dixie8")):
        with pytest.raises(WrongReader):
            write.to_organiser("note", table.row, page(wrong))
    for wrong in (of_seat(GAME, "Ann"), of_table(GAME), of_organiser(GAME), OPERATOR):
        with pytest.raises(WrongReader):
            write.to_stranger("note", "eve@evil.test", page(wrong))
    for wrong in (of_seat(GAME, "Ann"), of_table(GAME)):
        with pytest.raises(WrongReader):
            write.to_operator("note", page(wrong))


def test_words_to_all_that_quote_an_address_reach_them_without_the_token(players):
    own = players.seat_address(GAME, "Ann", number=0)
    token = identity.read_address(own, ADDRESS).token
    letters = players.write("Ann", f"say: write to me at {own}", "history")
    letters += players.write("Bob", "history")
    told = [one for one in letters if "write to me at" in " ".join(one.text.split())]
    assert {letter.to for letter in told} >= {address("Bob"), address("Cat")}
    for letter in letters:
        if letter.to != address("Ann"):
            assert token not in letter.mail.as_string()
            assert token not in letter.text + letter.html + letter.subject


def test_words_in_the_lobby_that_quote_an_address_reach_others_without_the_token(newcomers):
    [created] = newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    for name in ("Bob", "Cat"):
        [asked] = newcomers.stranger(address(name), f"join {GAME} as {name}")
        newcomers.reply(asked, "yes")
    own = newcomers.seat_address(GAME, "Bob", number=0)
    token = identity.read_address(own, ADDRESS).token
    letters = newcomers.write("Bob", f"say: my address is {own}")
    said = [letter for letter in letters if letter.kind == "said"]
    assert {letter.to for letter in said} == {address("Ann"), address("Cat")}
    for letter in said:
        assert "my address is" in letter.text
        assert token not in letter.mail.as_string() + letter.text + letter.html
    assert created.to == address("Ann")


def test_a_subject_that_quotes_an_address_is_answered_without_the_token(players):
    bob = players.seat_address(GAME, "Bob")
    token = identity.read_address(bob, ADDRESS).token
    for letter in (
        *players.write("Ann", "status", subject=f"Fwd: {bob}"),
        *players.stranger("eve@evil.test", "hello", subject=f"Fwd: {bob}"),
    ):
        assert token not in letter.mail.as_string() + letter.text


# ---------------------------------------------------------------------------- threads


def continues(letter):
    """The Message-IDs that a letter names beside its own."""
    return f"{letter.mail['In-Reply-To'] or ''} {letter.mail['References'] or ''}".split()


def test_an_answer_continues_the_thread_of_who_wrote(players):
    own = players.message_id(GAME, "Ann", 0, "s0-turn-mail-1")
    mail = {"message_id": "<1@pen.test>", "In_Reply_To": own, "References": f"<0@pen.test> {own}"}
    [receipt] = [x for x in players.write("Ann", "status", **mail) if x.to == address("Ann")]
    assert continues(receipt) == ["<1@pen.test>", "<0@pen.test>", own, "<1@pen.test>"]


def test_an_answer_repeats_no_id_that_speaks_for_another_seat(players):
    bob = players.message_id(GAME, "Bob", 0, "s0-turn-mail-1")
    mail = {"message_id": "<1@pen.test>", "References": f"<0@pen.test> {bob}"}
    [receipt] = [x for x in players.write("Ann", "status", **mail) if x.to == address("Ann")]
    assert continues(receipt) == ["<1@pen.test>", "<0@pen.test>", "<1@pen.test>"]


def test_an_id_of_a_former_address_of_the_seat_stays_in_the_thread(players):
    old = players.message_id(GAME, "Ann", 0, "s0-turn-mail-1")
    players.write("Ann", "new token")
    to = players.seat_address(GAME, "Ann", 1)
    mail = {"message_id": "<1@pen.test>", "References": old, "to": to}
    [receipt] = [x for x in players.write("Ann", "status", **mail) if x.to == address("Ann")]
    assert continues(receipt) == ["<1@pen.test>", old, "<1@pen.test>"]


def test_who_writes_in_another_s_name_leaves_no_trace_in_the_owner_s_threads(players):
    """Where a seat's address alone is proof, somebody else may write to it: the owner never had that mail."""
    players.service = replace(players.service, grade="friendly")
    players.office = players.new_office("worker")
    mail = {"message_id": "<1@eve.test>", "References": "<0@eve.test>", "sender": "eve@evil.test"}
    [receipt] = players.write("Ann", "status", **mail)
    assert receipt.to == address("Ann")
    assert continues(receipt) == []


def test_a_stranger_s_thread_gives_no_power_to_whom_it_answers(players):
    ann = players.message_id(GAME, "Ann", 0, "s0-turn-mail-1")
    mail = Mail(message_id="<1@eve.test>", sender="eve@evil.test", references=(ann, "<0@eve.test>"))
    page = note_page(EVERYBODY, "x", "y", ("z",), about=About(templates=None))
    letter = desk(players).to_stranger("answer", "eve@evil.test", page, mail)
    head = letter.raw.partition(b"\r\n\r\n")[0].decode()
    assert "References: <0@eve.test> <1@eve.test>" in head
    assert identity.read_message_id(ann, ADDRESS).token not in head
    # a letter about that mail to somebody else names none of them
    other = desk(players).to_stranger("answer", "carl@x.test", page, mail)
    assert b"eve.test" not in other.raw.partition(b"\r\n\r\n")[0]
