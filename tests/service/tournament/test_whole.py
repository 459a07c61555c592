"""Whole tournaments, from the announcement to the prize, with bots as players."""

import pytest

from engine.wording import listed
from service.desk.tournament.entries import entering
from service.desk.tournament.results import adjudicating, results
from service.desk.tournament.rounds import seating_rounds
from service.desk.tournament.rules import announcing
from service.games.games import load
from service.reports import receipt
from service.reports.rendering import MAIL_LIMIT
from service.tournaments import listing
from service.tournaments.listing import result_told
from tests.service.players import address, flat, opened, says, unsaid
from tests.service.tournament.bots import play_on
from tests.service.tournament.setting import DIRECTOR, FORM, PlayedTournament

pytest_plugins = ["tests.service.postgres"]

FIVE = ("Ann", "Bob", "Cat", "Dan", "Eve")


def told_to(spring, name):
    """All that somebody was written by the tournament and its boards, as kind and one line."""
    return [(x.kind, flat(x)) for x in spring.people.letters if x.to == address(name)]


def direct_table(spring, number, *lines):
    """The director has the letter of a board sent, and replies to it."""
    [letter] = [x for x in spring.direct(f"board {number}") if x.kind == "table"]
    return spring.took(spring.people.reply(letter, *lines))


@pytest.mark.long
def test_a_small_tournament_as_one_player_reads_it(newcomers):
    """Five play one board by mails and as bots, until the director ends it."""
    spring = PlayedTournament(newcomers)
    spring.announce(*FORM, "prizes: A pewter locomotive.")
    spring.enter(*FIVE)
    for word in ("close", "seat", "start"):
        spring.direct(word)
    spring.took(play_on(newcomers, "spring-1-1", 12))
    spring.direct("adjudicate because the week is over")
    assert spring.tournament.record(1, 1).result.ended == "adjudicated"
    spring.direct("finish")
    read = told_to(spring, "Ann")
    kinds = [kind for kind, _ in read]
    begins = "welcome" if "welcome" in kinds else "turn"
    for kind in ("confirm", "tournament", "closed", "seated", begins, "adjudicated", "ended",
                 "standings", "over"):  # fmt: skip
        assert kind in kinds, kind
    assert kinds.index("confirm") < kinds.index("seated") < kinds.index(begins)
    assert kinds[-1] == "over"
    assert says(read[-1][1], results.PRIZES, prizes="A pewter locomotive.")
    assert all(len(line) <= 78 for x in newcomers.letters for line in x.text.splitlines())


NAMES = (
    *("Abel", "Bela", "Cora", "Dirk", "Elsa", "Finn", "Gina", "Hugo", "Inga", "Jens", "Kira"),
    *("Lars", "Mina", "Nils", "Olga", "Paul", "Rosa", "Sven", "Tina", "Ulla", "Vera", "Willem"),
    *("Xenia", "Yann", "Zora", "Anton", "Berta", "Carl", "Doris", "Emil", "Frieda", "Georg"),
)
FOUR_TITLES = (
    "grade: standard", "clock: none", "prizes: The first has a pewter locomotive.", "rounds: 3",
    "round 1 titles: 18AL, 18GA", "round 2 titles: 18TN, 18AL", "round 3 titles: 18MW, 18GA",
    "round 1 tables: 4", "round 2 tables: 4", "round 3 tables: 4",
    "tie-breaks: wins, best, meetings, lot",
)  # fmt: skip


def play_round(spring, number, cap):
    """Bots play all tables of a round for some actions each; the tables that still play."""
    for number_, game in enumerate(spring.tournament.begun[number]):
        with spring.people.store.transaction() as tx:
            table = load(tx, game)
        if table.row.status == "running":
            spring.took(play_on(spring.people, game, cap, seed=100 * number + number_))
    return [table.game for table in spring.know().playing]


def end_round(spring, number, because):
    """The director has all boards adjudicated, and bots play their sets of rounds to the end."""
    spring.direct(f"adjudicate because {because}")
    while play_round(spring, number, 6):
        pass
    assert spring.tournament.complete


def begin_round(spring):
    for word in ("seat", "start"):
        assert unsaid(spring.receipt(spring.direct(word)), receipt.MARKED_NOT_DONE)


@pytest.mark.long
def test_a_tournament_of_thirty_two_in_three_rounds_with_all_that_may_happen(newcomers):
    people, spring = newcomers, PlayedTournament(newcomers)
    announced = spring.announce(*FOUR_TITLES)[0].subject
    assert says(announced, announcing.IS_ANNOUNCED.rstrip("."), tournament="spring")
    for start in range(0, 32, 8):  # a domain has its ration of answers an hour
        spring.enter(*NAMES[start : start + 8])
        people.now += 3600
    spring.enter("Sam", "Tom", word="standby")
    spring.direct("close")
    # the first round: one leaves in its midst, and one table is given up
    begin_round(spring)
    games = spring.tournament.begun[1]
    assert len(games) == 8
    titles = [t.title.name for t in spring.tournament.seated(1).tables]
    assert sorted(titles) == ["18AL"] * 4 + ["18GA"] * 4
    with people.store.transaction() as tx:
        lost = [seat.name for seat in load(tx, games[0]).players]
        leaver = load(tx, games[1]).players[0].name
    letters = spring.write(leaver, "withdraw yes")
    offered = [x for x in letters if x.kind == "offered"]
    assert {x.to for x in offered} == {address("Sam"), address("Tom")}
    people.reply(offered[0], "yes")
    spring.took(play_on(people, games[0], 20))
    direct_table(spring, "1.1", "abandon because two players have left it")
    assert spring.tournament.record(1, 1).result.ended == "abandoned"
    left = play_round(spring, 1, 150)
    assert left and says(spring.receipt(spring.direct("seat")), seating_rounds.STILL_PLAYS, round=1)
    end_round(spring, 1, "the spring is over")
    # the second: somebody is excluded, whose seat another takes; equal players share a place
    begin_round(spring)
    games = spring.tournament.begun[2]
    seats = [t.seats for t in spring.tournament.seated(2).tables]
    assert leaver not in {name for table in seats for name in table}
    former = {frozenset(t.seats) for t in spring.tournament.seated(1).tables}
    assert all(len(frozenset(table) & other) < 2 for table in seats for other in former)
    gone = seats[2][1]
    letters = spring.direct(f"exclude {gone} because of moves for another")
    [offer] = [x for x in letters if x.kind == "offered" and x.to == address("Tom")]
    people.reply(offer, "yes")
    direct_table(spring, "2.2", "end game because a storm has cut all off")
    tied = spring.tournament.record(2, 2).result
    assert {seat.place for seat in tied.seats} == {1}
    play_round(spring, 2, 120)
    spring.direct("hold because a rule is in doubt")
    spring.direct("resume because the rule is clear")
    end_round(spring, 2, "the summer is over")
    [seat] = [s for s in spring.tournament.record(2, 3).result.seats if s.seat == gone]
    assert list(seat.players) == [gone, "Tom"]
    # the last round, a correction after the seating, the end
    begin_round(spring)
    before = spring.tournament.record(1, 2).result
    letters = spring.direct(
        f"correct 1.2: {before.seats[0].seat} 9000 because a share was forgotten"
    )
    told = next(x for x in letters if x.kind == "corrected")
    assert says(told, results.SEATING_STAYS, round=2)
    play_round(spring, 3, 60)
    end_round(spring, 3, "the year is over")
    spring.direct("finish")
    assert spring.tournament.status == "ended"
    _fits_an_email(spring)
    assert len({title for t in range(1, 4) for title in
                (x.title.name for x in spring.tournament.seated(t).tables)}) == 4  # fmt: skip
    byes = [name for n in (1, 2, 3) for name in spring.tournament.seated(n).byes]
    assert byes == []  # standbys play on for those who left, so 32 make tables of four
    _reads(spring, next(n for n in NAMES if n not in (leaver, gone, *lost, *byes)))


def _fits_an_email(spring):
    """The report of all rounds comes with the email, which has no more octets than promised."""
    [letter] = spring.direct("report")
    [file] = [p for p in letter.mail.walk() if p.get_filename() == "spring-report.pdf"]
    assert file.get_payload(decode=True).startswith(b"%PDF")
    assert len(letter.mail.as_bytes()) <= MAIL_LIMIT


def _reads(spring, name):
    """Every mail of one player, from the announcement to the prize."""
    read = told_to(spring, name)
    kinds = [kind for kind, _ in read]
    assert kinds[:3] == ["confirm", "tournament", "closed"]
    assert [k for k in kinds if k == "seated"] == ["seated"] * 3
    assert kinds.count("welcome") <= 3 and {"welcome", "turn"} & {*kinds}
    assert [k for k in kinds if k == "standings"] == ["standings"] * 3
    for kind in ("out", "next", "fault"):
        assert kind not in kinds
    assert kinds[-1] == "over" and "pewter locomotive" in read[-1][1]
    seated = [text for kind, text in read if kind == "seated"]
    seatings = [spring.tournament.seated(number) for number in (1, 2, 3)]
    for text, seating in zip(seated, seatings, strict=True):
        [own] = [table for table in seating.tables if name in table.seats]
        assert says(text, seating_rounds.YOUR_TABLE, title=own.title, table=own.label)
        assert says(text, seating_rounds.THE_SEATS, names=listed(own.seats))
        assert says(text, seating_rounds.ALL_TABLES, round=seating.round)
        assert seating.digest in text and seating.seed in text
    of = {kind: text for kind, text in read}
    assert says(of["confirm"], entering.ASKED_TO_ENTER, name=name, tournament="spring")
    assert says(of["tournament"], entering.YOU_HAVE_ENTERED, tournament="spring", name=name)
    assert says(of["closed"], entering.ARE_CLOSED_WITH, tournament="spring", players="32 players")
    assert "Georg" in of["closed"]
    for kind, text in read:
        if kind in ("standings", "over"):
            assert f" {name} " in text.partition(listing.STANDINGS)[2]
        if kind == "adjudicated":
            assert says(text, adjudicating.WHAT_COUNTS)
    assert says(
        of["over"], results.IS_WON, tournament="spring", winner=listing.winners(spring.tournament)
    )
    assert says(of["over"], results.THANKS)
    corrected = next(text for kind, text in read if kind == "corrected")
    before, after = (result_told(told.result) for told in spring.tournament.record(1, 2).told)
    assert says(corrected, results.STRUCK, result=before) and "9000" in after
    assert says(corrected, results.COUNTS_NOW, result=after)
    mine = [x for x in spring.people.letters if x.to == address(name)]
    assert all(len(line) <= 78 for x in mine for line in x.text.splitlines())
    assert all(DIRECTOR not in text for kind, text in read if kind in ("closed", "standings"))


@pytest.mark.long
def test_a_tournament_on_either_database(database):
    spring = PlayedTournament(opened(database))
    spring.announce(*FORM, "rounds: 2")
    spring.enter(*FIVE)
    spring.enter("Sam", word="standby")
    spring.direct("close")
    for number in (1, 2):
        begin_round(spring)
        if number == 1:
            letters = spring.write("Bob", "withdraw yes")
            people = spring.people
            people.reply(next(x for x in letters if x.to == address("Sam")), "yes")
        spring.took(play_on(spring.people, f"spring-{number}-1", 12))
        spring.direct("adjudicate because the week is over")
        assert spring.tournament.complete
    spring.direct("finish")
    assert spring.tournament.status == "ended" and len(spring.tournament.records) == 2
    spring.people.store.close()
