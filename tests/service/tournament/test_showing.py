"""What pages and the report have of a tournament, as it lies in the store."""

from service.desk.letters.desk import Desk
from service.desk.tournament.directing.tournament_directing import operated
from service.desk.tournament.questions import director_questions
from service.desk.tournament.ruling import ruling
from service.desk.tournament.stored.public_pages import StoredTournaments
from service.reports.rendering import MAIL_LIMIT
from service.store import Occasion
from service.tournaments import standings, telling
from tests.service.players import says
from tests.service.tournament.test_rounds import over


def test_pages_show_how_it_stands_and_what_was_ruled(begun):
    shown = StoredTournaments(begun.people.store)
    [spring] = shown()
    stands = telling.TABLES_ARE_OVER.format(round=1, rounds=1, over=0, left="1 table")
    assert telling.state_lines(spring) == [stands] and not spring.over
    assert shown()[0] is spring, "nothing has changed"
    begun.direct("rule: the bridge counts once")
    begun.direct("hold because a rule is in doubt")
    begun.direct("resume because the rule is clear")
    over(begun)
    begun.direct("correct 1.1: Bob 900 because a dividend was forgotten")
    begun.direct("finish")
    [spring] = shown()
    said = " ".join(text for _, text in telling.rulings(spring))
    assert says(said, telling.RULING, text="the bridge counts once")
    for told, reason in (
        (ruling.ALL_ON_HOLD, "a rule is in doubt"),
        (ruling.ALL_GO_ON, "the rule is clear"),
    ):
        assert says(said, told.rstrip(".") + telling.WHY, because=reason)
    why = telling.WHY.format(because="a dividend was forgotten")
    assert says(said, telling.IS_CORRECTED, table="1.1", why=why)
    assert spring.over and standings.standings(spring).rows[0].name == "Bob"


def test_the_report_comes_ready_to_be_printed(begun):
    over(begun)
    [letter] = begun.direct("report")
    assert _sent(letter)["spring-report.pdf"].startswith(b"%PDF")
    assert len(letter.mail.as_bytes()) <= MAIL_LIMIT
    desk = Desk(begun.people.service, begun.people.now, Occasion("operator", "report"))
    with begun.people.store.reading() as reads:
        [made] = operated(reads, desk, begun.know(), "report").results
    [file] = made.answer.files
    assert file.filename == "spring-report.pdf" and file.data.startswith(b"%PDF")


def _sent(letter):
    files = {p.get_filename(): p.get_payload(decode=True) for p in letter.mail.walk()}
    return {name: data for name, data in files.items() if name}


def test_a_report_that_an_email_has_no_room_for_is_left_to_the_operator(begun, monkeypatch):
    over(begun)
    monkeypatch.setattr(director_questions, "FILE_LIMIT", 100)
    [letter] = begun.direct("report")
    assert _sent(letter) == {}
    assert says(letter, director_questions.LEFT_OUT, size=300, tournament="spring")
