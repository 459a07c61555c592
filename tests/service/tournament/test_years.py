"""A tournament goes on for years: a newer program, another machine, other addresses."""

import json
import lzma
import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy
from msgspec import structs

from service.app.private import secret
from service.app.wiring import open_store
from service.desk.tournament.letters.tournament_letters import ticket_of_office
from service.desk.tournament.questions.director_questions import MUST_ACT
from service.desk.tournament.results import results
from service.desk.tournament.rounds import seating_rounds
from service.desk.tournament.rounds.seating_rounds import promised_seed
from service.desk.tournament.stored.keeping import tournament_called
from service.reports import receipt
from service.settings import load as load_settings
from service.store import Store
from service.tournaments import listing
from service.tournaments.acts import EntryChanged, decode, encode
from service.tournaments.checking import PUBLISHED_ANOTHER, check
from service.tournaments.older import RULE_IS_GONE, OldTournament
from service.tournaments.rules import AIMS
from service.tournaments.standings import standings
from service.tournaments.values import Entrant
from tests.service.players import ADDRESS, SECRET, address, one, opened, says, unsaid
from tests.service.tournament.conftest import FIVE
from tests.service.tournament.setting import DIRECTOR, PlayedTournament, become, enter_all, table

pytest_plugins = ["tests.service.postgres"]

#: as the first version with tournaments (its tables since brought to 0023) left it: eight players on two boards of
#: the first of two rounds; 1.1 is over and was corrected, Sam plays Bob's seat there, 1.2 goes on
KEPT = Path(__file__).parent / "spring-0023.sqlite.xz"
#: what people had in their mailboxes then
OFFICE = f"play+spring.director.lltqinnsrz4tj5sh@{ADDRESS.partition('@')[2]}"
ANN = f"play+spring.entry.krebzr7ymu4q5jqd@{ADDRESS.partition('@')[2]}"
DIGEST = "74cc980af700a4bd92851959e50b6f6e2bc08b7f76a78f11d655b73309cecda2"


def kept(database: str, folder: Path) -> None:
    """Let a database be what the older version had written."""
    file = folder / "kept.sqlite"
    file.write_bytes(lzma.decompress(KEPT.read_bytes()))
    if database.startswith("sqlite:///"):
        shutil.move(file, database.removeprefix("sqlite:///"))
        return
    from tests.service.test_upgrade import at_baseline

    at_baseline(database)
    poured(f"sqlite:///{file}", database)


def poured(source: str, target: str) -> None:
    """All rows of a database in another one with the same tables, on PostgreSQL."""
    old, new = sqlalchemy.create_engine(source), sqlalchemy.create_engine(target)
    tables = sqlalchemy.MetaData()
    tables.reflect(new)
    with old.connect() as was, new.begin() as now:
        now.exec_driver_sql("SET session_replication_role = replica")
        for table in tables.sorted_tables:
            now.execute(table.delete())
            rows = [row._asdict() for row in was.execute(sqlalchemy.select(table))]
            if rows:
                now.execute(table.insert(), rows)
            if "id" in table.c:
                top = f"(SELECT coalesce(max(id), 0) + 1 FROM {table.name})"
                sequence = f"pg_get_serial_sequence('{table.name}', 'id')"
                now.exec_driver_sql(f"SELECT setval({sequence}, {top}, false)")
    old.dispose()
    new.dispose()


def at(spring: PlayedTournament, to: str, sender: str, *lines: str):
    """A mail to an address that stood in a letter of before."""
    return spring.took(spring.people.send(spring.people.mail(sender, to, *lines)))


def test_what_an_older_version_kept_is_read(tmp_path):
    database = f"sqlite:///{tmp_path}/waybill.sqlite"
    kept(database, tmp_path)
    spring = PlayedTournament(opened(database, first=1000))
    value = spring.tournament
    assert [e.name for e in spring.tournament.players] == [
        "Ann",
        "Cat",
        "Dan",
        "Eve",
        "Fay",
        "Gus",
        "Hal",
    ]
    assert [entry.name for entry in spring.tournament.of_state("standby")] == ["Sam"]
    [record] = value.records
    assert (record.result.seats[0].worth, len(record.struck)) == (900, 1)
    assert value.digests[1] == DIGEST and spring.tournament.rules.excused == 5
    [told] = at(spring, ANN, address("Ann"), "standings")
    assert says(told, listing.STRUCK_OUT, table="1.1", why="a dividend was forgotten")
    assert says(spring.receipt(at(spring, OFFICE, DIRECTOR, "late")), MUST_ACT, tables="1 table")
    spring.people.store.close()


@pytest.mark.long
def test_a_tournament_of_an_older_version_goes_on_to_its_end(database, tmp_path):
    kept(database, tmp_path)
    spring = PlayedTournament(opened(database, first=1000))
    at(spring, OFFICE, DIRECTOR, "adjudicate because the year is over")
    assert spring.tournament.complete
    for word in ("seat", "start"):
        assert unsaid(spring.receipt(at(spring, OFFICE, DIRECTOR, word)), receipt.MARKED_NOT_DONE)
    assert spring.tournament.seated(2).digest == DIGEST
    first = table(spring, spring.tournament.begun[2][0]).state.seats[0]
    [turn] = [x for x in spring.people.letters if (x.to, x.kind) == (address(first), "turn")]
    assert "receipt" in [x.kind for x in spring.people.reply(turn, "pass")]
    at(spring, OFFICE, DIRECTOR, "adjudicate because the year is over")
    letters = at(spring, OFFICE, DIRECTOR, "finish")
    assert spring.tournament.status == "ended"
    won = {"tournament": "spring", "winner": listing.winners(spring.tournament)}
    assert says(one(letters, "Ann", "over"), results.IS_WON, **won)
    spring.people.store.close()


def backed_up(source: str, folder: Path) -> str:
    """The copy of an SQLite file that the docs tell to make, while it is in use; its URL."""
    folder.mkdir()
    copy = folder / "waybill.sqlite"
    with (
        closing(sqlite3.connect(source.removeprefix("sqlite:///"))) as old,
        closing(sqlite3.connect(copy)) as new,
    ):
        old.backup(new)  # what `.backup` of the program sqlite3 does
    return f"sqlite:///{copy}"


def goes_on(spring: PlayedTournament) -> None:
    """A player and the director answer letters that they had before a move."""
    first = table(spring).state.seats[0]
    letters = spring.people.reply(spring.people.latest(first), "pass")
    assert "receipt" in [x.kind for x in letters]
    assert table(spring).state.number == 1
    assert says(spring.receipt(spring.direct("late")), MUST_ACT, tables="1 table")


def test_a_backup_and_the_secret_are_all_that_a_tournament_needs_elsewhere(
    begun, tmp_path, monkeypatch
):
    url = backed_up(f"sqlite:///{tmp_path}/waybill.sqlite", tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "secret").write_bytes(SECRET + b"\n")
    begun.people.store.close()
    # the program itself reads the folder, and finds all in it
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("WAYBILL_MAIL__ADDRESS", ADDRESS)
    settings = load_settings()
    assert (secret(settings), settings.database_url) == (SECRET, url)
    moved = PlayedTournament(opened(url, first=2000))
    moved.people.letters, moved.latest = begun.people.letters, begun.latest
    goes_on(moved)
    assert promised_seed(moved.know(), 1, moved.tournament.seated(1).seed)
    moved.people.store.close()


@pytest.mark.long
def test_a_dump_of_postgresql_is_a_tournament_elsewhere(postgresql, begun, tmp_path):
    """`pg_dump` of a database into an empty one, as the docs tell."""
    from tests.service.postgres import _programs

    def url(name):
        return f"postgresql+psycopg://waybill@/{name}?host={postgresql}"

    def run(program, *args, **how):
        command = [f"{_programs()}/{program}", "-h", str(postgresql), "-U", "waybill", *args]
        return subprocess.run(command, check=True, capture_output=True, **how).stdout

    for name in ("former", "later"):
        run("createdb", name)
    former = Store(url("former"))
    former.upgrade()
    former.close()
    poured(f"sqlite:///{tmp_path}/waybill.sqlite", url("former"))
    run("psql", "-q", "-d", "later", input=run("pg_dump", "former"))
    moved = PlayedTournament(opened(url("later"), first=2000))
    moved.people.letters, moved.latest = begun.people.letters, begun.latest
    goes_on(moved)
    moved.people.store.close()


def test_a_seed_that_is_not_the_promised_one_seats_nobody_without_a_reason(spring):
    """The seeds are made of the secret: without it nobody can open what was published."""
    enter_all(spring, FIVE)
    spring.direct("close")
    own = spring.people.service
    lost = ticket_of_office(spring.know(), "director").reply_to(
        ADDRESS, b"the secret of another machine"
    )
    spring.people.service = replace(own, secret=b"the secret of another machine")
    spring.people.office = spring.people.new_office("worker")
    told = spring.receipt(at(spring, lost, DIRECTOR, "seat"))
    assert says(told, seating_rounds.SEED_IS_LOST, round=1) and spring.tournament.seated(1) is None
    reason = "the disk with the secret has burnt"
    letters = at(spring, lost, DIRECTOR, f"seat because {reason}")
    assert says(spring.receipt(letters), seating_rounds.CHANGED, why=reason)
    assert says(one(letters, "Ann", "seated"), seating_rounds.CHANGED, why=reason)
    [round_] = check(listing.tournament_json(spring.tournament, standings(spring.tournament)))
    assert says(round_.faults[0], PUBLISHED_ANOTHER) and round_.why == reason


def test_what_was_played_from_a_former_address_stays_the_same_person_s(begun):
    bob, cat = (begun.tournament.entry(name) for name in ("Bob", "Cat"))
    become(begun, structs.replace(bob, addresses=("bob@new.test",)))
    assert begun.tournament.had_address(address("Bob")).name == "Bob"
    assert begun.tournament.had_address("nobody@x.test") is None
    # an address that one has left is another's who has it now, and the first one's no more
    become(begun, structs.replace(cat, addresses=(*cat.addresses, address("Bob"))))
    assert begun.tournament.had_address(address("Bob")).name == "Cat"


@pytest.mark.long
def test_an_address_that_changes_between_rounds_is_where_the_next_board_is_played(begun):
    begun.direct("rules", "rounds: 2", "because all want to play again")
    begun.direct("adjudicate because the year is over")
    letters = begun.write("Bob", "address bob@new.test")
    [asked] = [x for x in letters if x.to == "bob@new.test"]
    begun.took(begun.people.reply(asked, "yes"))
    assert table(begun).seat("Bob").address == address("Bob"), "a board that is over stays as it is"
    begun.direct("seat")
    letters = begun.direct("start")
    assert table(begun, "spring-2-1").seat("Bob").address == "bob@new.test"
    kinds = {x.kind for x in letters if x.to == "bob@new.test"}
    assert {"welcome", "turn"} & kinds and not any(x.to == address("Bob") for x in letters)
    begun.direct("adjudicate because the year is over")
    [row] = [row for row in standings(begun.tournament).rows if row.name == "Bob"]
    assert len([cell for cell in row.cells if cell]) == 2


def of_old(spring, **scoring):
    """The tournament's first act as an older version stored it, with these rules of its scores."""
    before = {"parts": [{"name": "places", "weight": 100, "points": []}], "ties": "rulebook"}
    before |= {"replaced": "last", "abandoned": "adjudicated", "formula": "worth", **scoring}
    act = json.loads(encode(spring.tournament.log[0].act))
    act["rules"]["aims"] = ["ratings", "meetings", "zones", "pots"]
    act["rules"]["scoring"] = {**act["rules"]["scoring"], **before}
    return json.dumps(act, separators=(",", ":")).encode()


def test_a_standby_whom_an_older_version_has_asked_is_still_asked_to_stand_by():
    stored = json.loads(encode(EntryChanged("asked", Entrant("Sam", 1, state="asked"))))
    stored["entry"]["reason"] = "standby"
    read = decode(json.dumps(stored, separators=(",", ":")).encode())
    assert read.entry == Entrant("Sam", 1, state="asked", standby=True)


def test_the_score_of_an_older_tournament_is_read_as_it_was(spring):
    points = {"parts": [{"name": "places", "weight": 100, "points": [10, 6, 3, 1]}]}
    rules = decode(of_old(spring, **points)).rules
    scoring = rules.scoring
    assert rules.aims == AIMS
    assert (scoring.score, scoring.points) == ("places", (10, 6, 3, 1))


@pytest.mark.parametrize(
    ("part", "field", "usual", "other", "rule"),
    [
        ("rules", "voting", 7, 3, "days to vote: 3"),
        ("rules", "standbys", True, False, "standbys: no"),
        ("gates", "leave", False, True, "leave needed: yes"),
        ("gates", "decisions", 50, 20, "known by: 20"),
        ("gates", "on_time", 0, 80, "on time: 80"),
        ("rules", "stay", True, False, "standbys stay: no"),
        ("rules", "votes", "half", "none", "votes: none"),
        ("round", "byes", 0, 2, "byes: 2"),
    ],
)
def test_a_setting_that_is_no_more_is_read_if_it_was_the_usual_one(
    spring, part, field, usual, other, rule
):
    def stored(value):
        act = json.loads(of_old(spring))
        rules = act["rules"]
        {"rules": rules, "gates": rules.setdefault("gates", {}), "round": rules["rounds"][0]}[part][
            field
        ] = value
        return json.dumps({**act, "rules": {"voting": 7, **rules}}, separators=(",", ":")).encode()

    assert (
        decode(stored(usual)).rules
        == decode(stored(other), ended=True).rules
        == spring.tournament.rules
    )
    with pytest.raises(OldTournament) as why:
        decode(stored(other))
    assert says(why.value, RULE_IS_GONE, tournament="spring", rule=rule)


@pytest.mark.parametrize(
    ("scoring", "rule"),
    [
        ({"formula": "worth + 2 x income"}, "adjudicated by: worth + 2 x income"),
        ({"replaced": "parted"}, "replaced: parted"),
        ({"replaced": "first"}, "replaced: first"),
        ({"bye": "winner"}, "bye: winner"),
        ({"caretaken": 40}, "caretaken: 40"),
        ({"breaks": ["wins", "opponents"]}, "tie-breaks: wins, opponents"),
        ({"parts": [{"name": "percent", "weight": 100, "points": []}]}, "score: percent"),
        (
            {"parts": [{"name": n, "weight": 50, "points": []} for n in ("places", "share")]},
            "score: 50% places, 50% share",
        ),
    ],
)
def test_a_start_stops_for_a_tournament_that_goes_on_with_a_rule_that_is_no_more(
    spring, tmp_path, monkeypatch, scoring, rule
):
    spring.people.store.close()
    with closing(sqlite3.connect(tmp_path / "waybill.sqlite")) as database:
        old = of_old(
            PlayedTournament(opened(f"sqlite:///{tmp_path}/waybill.sqlite", first=2000)), **scoring
        )
        database.execute("UPDATE tournament_act SET payload = ? WHERE kind = 'announced'", (old,))
        database.commit()
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path))
    monkeypatch.setenv("WAYBILL_MAIL__ADDRESS", ADDRESS)
    with pytest.raises(OldTournament) as why:
        open_store(load_settings())
    assert says(why.value, RULE_IS_GONE, tournament="spring", rule=rule)
    with closing(sqlite3.connect(tmp_path / "waybill.sqlite")) as database:
        database.execute("UPDATE tournament SET ended = 7")
        database.commit()
    store = open_store(load_settings())
    with store.reading() as reads:
        assert tournament_called(reads, "spring").rules.scoring.score == "places"
    store.close()
