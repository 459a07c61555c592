"""What pages and the report have of a tournament, as it lies in the store."""

import pytest

from service.desk.tournament.showing import FromStore
from tests.service.cups.test_rounds import over
from tests.service.house import address


def test_pages_show_how_it_stands_and_what_was_ruled(begun):
    shown = FromStore(begun.people.store)
    [view] = shown.tournaments()
    assert view.stands == "Round 1 of 1: 0 of 1 boards are over." and not view.over
    assert shown.tournaments()[0] is view, "nothing has changed"
    begun.direct("rule: the bridge counts once")
    begun.direct("hold because a rule is in doubt")
    begun.direct("resume because the rule is clear")
    over(begun)
    begun.direct("correct 1.1: Bob 900 because a dividend was forgotten")
    begun.direct("finish")
    [view] = shown.tournaments()
    said = " ".join(text for _, text in view.rulings)
    assert "the bridge counts once" in said and "because a rule is in doubt" in said
    assert "All boards go on, because the rule is clear" in said
    assert "clocks stand still, because a rule is in doubt" in said
    assert "The result of board 1.1 is corrected, because a dividend was forgotten" in said
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
