"""What mails say of connections, of stations that are sold, and of privates in operating rounds."""

from msgspec.structs import replace

from engine.actions import BuyStation
from service.reports import PageLook, Scene, Since, position, turn_page
from service.reports.decisions import task
from service.reports.position import deed
from tests.rules.mw.setting import on
from tests.service.reports.games import to

LINE = "G17 9 1,G15 9 1,G13 57 1,G11 4 1,G9 57 1,G7 9 1,G5 57 1,G3 9 1"
RUN = on.run("CBQ", ("6", "G1-G3-G5-G7-G9-G11-G13-G15-G17-G19"))


def scene(state):
    return Scene("river4", on.title, state)


def text_of(state, seat="Ann"):
    page = turn_page(to(seat), scene(state), Since(), PageLook(False))
    assert max(map(len, page.text.splitlines())) <= 78
    return " ".join(page.text.split())


def burlington(step="run", **more):
    return on.turn(step, "CBQ", laid=LINE, at_phase="6", trains=("6",), **more)


def test_a_run_that_connects_is_a_sum_with_its_bonus_and_tells_of_the_rest():
    text = text_of(burlington())
    assert "G19 Chicago 60 + Chicago–San Francisco 250 = $440" in text
    assert "it brings the treasury $250 more; `token G1` after it is free" in text
    assert "`pay` $44 per share" in text
    assert "run token G1 pay" in text
    none = replace(burlington(), charters={**burlington().charters, "CBQ": 0})
    assert "`token G1` after" not in text_of(none)


def test_the_question_of_the_token_tells_what_either_answer_earns():
    state = on.after(burlington(), RUN)
    told = task(scene(state), "Ann")
    assert told.subject == "CBQ has run Chicago–San Francisco"
    text = text_of(state)
    assert "`token G1` the run earns $500" in text
    assert "`decline` the run earns $440" in text


def test_a_doubled_place_is_a_product_in_the_sum():
    state = on.after(burlington(), RUN, on.token("CBQ", "G1"))
    again = on.privates(on.operating(state, "CBQ", "run"), {"CFH": "CBQ"})
    text = text_of(on.phase(again, "5"))
    assert "G1 San Francisco 2×60" in text
    assert "G19 Chicago 2×60" in text


def test_a_station_for_sale_is_listed_with_both_prices_and_its_president_is_asked():
    state = on.company(burlington("station trade"), "CNW", {"Bob": 60}, stations=("G5",))
    state = on.operating(state, "CBQ", "station trade")
    text = text_of(state)
    assert "`buy station G5 from CNW` $100 and $80 to the bank (Bob is asked)" in text
    asked = on.after(state, BuyStation(by="Ann", company="CBQ", source="CNW", hex="G5"))
    assert "replace the token of your CNW in G5 Omaha, and pay CNW $100" in text_of(asked, "Bob")


def test_powers_of_privates_are_listed_where_they_may_be_used():
    spare = on.privates(burlington("track", cash=100), {"SLA": "CBQ"})
    text = text_of(spare)
    assert "`use SLA: token G5` needs no track: G5 Omaha $80 G19 Chicago $70" in text
    train = on.privates(on.phase(burlington("trains"), "4"), {"MO": "Ann"})
    assert "`buy 4 with MO` a 4 train for $0, MO closes" in text_of(train)


def test_what_outlives_a_private_is_shown_until_it_ends():
    state = replace(on.phase(burlington("track"), "5"), heirs={"SLFL": "Bob", "CFH": "CBQ"})
    rows = {row[0]: row[1:] for row in position.privates(scene(state)).rows}
    assert rows == {
        "SLFL": ("-", "-", "Bob", "closed, but $10 for each run to J14 St. Louis, until phase 6"),
        "CFH": ("-", "-", "CBQ", "closed, but doubles G19 Chicago for its company, until phase 6"),
    }
    assert "SLFL" in text_of(state)
    assert position.privates(scene(replace(state, phase="6"))) is None


def test_each_private_has_words_for_what_it_does():
    assert {private: deed(on.title, facts) for private, facts in on.title.privates.items()} == {
        "HSJ": "pays $10 from phase 4 on",
        "SLA": "one more token, anywhere",
        "SLFL": "$10 for each run to J14 St. Louis, until phase 6",
        "LCM": "a share of any company for it",
        "RI": "its owner gets 50% of the cost of every bridge",
        "CFH": "doubles G19 Chicago for its company, until phase 6",
        "MO": "share of GMO; exchanged for a train",
    }
