"""What pages and the report have of a tournament, as it lies in the store."""

import pytest

from service.desk.tournament import listing, round_words
from service.desk.tournament.showing import FromStore
from tests.service.cups.test_rounds import over
from tests.service.house import address, says


def test_pages_show_how_it_stands_and_what_was_ruled(begun):
    shown = FromStore(begun.people.store)
    [view] = shown.tournaments()
    stands = listing.BOARDS_ARE_OVER.format(round=1, rounds=1, over=0, boards=1)
    assert view.stands == stands and not view.over
    assert shown.tournaments()[0] is view, "nothing has changed"
    begun.direct("rule: the bridge counts once")
    begun.direct("hold because a rule is in doubt")
    begun.direct("resume because the rule is clear")
    over(begun)
    begun.direct("correct 1.1: Bob 900 because a dividend was forgotten")
    begun.direct("finish")
    [view] = shown.tournaments()
    said = " ".join(text for _, text in view.rulings)
    assert says(said, listing.RULING, text="the bridge counts once")
    for told, reason in (
        (round_words.ALL_ARE_HELD, "a rule is in doubt"),
        (round_words.ALL_GO_ON, "the rule is clear"),
    ):
        assert says(said, told.rstrip(".") + listing.WHY, because=reason)
    why = listing.WHY.format(because="a dividend was forgotten")
    assert says(said, listing.IS_CORRECTED, board="1.1", why=why)
    assert view.over and view.standings.rows[0].name == "Bob"
    names = {record.player for record in shown.records()}
    assert "Bob" in names
    begun.people.stranger(address("Bob"), "record off")
    assert {record.player for record in shown.records()} == names - {"Bob"}


@pytest.mark.long
def test_the_report_comes_ready_to_be_printed(begun):
    over(begun)
    [letter] = begun.direct("report")
    files = {p.get_filename(): p.get_payload(decode=True) for p in letter.mail.walk()}
    assert files["spring-report.pdf"].startswith(b"%PDF")
    assert b"spring-1-1" in files["spring-report.html"]
