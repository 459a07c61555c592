"""The turn mail: complete in 78 columns, small, and right in what it promises."""

import re
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace

from engine import apply, why_not
from engine import events as ev
from engine.actions import Dividend, Run
from engine.notation import parse
from engine.position.frames import Discard, Question, StockRound, StockTurn
from engine.position.values import OFFERING
from engine.proposals import PrivateSale, TrainSale
from engine.runs.best.search import best_run
from engine.telling.narration import sentences
from service.clocks.deadlines import Deadline
from service.reports import PageLook, Said, Since, prospects, turn, turn_page
from service.reports.decisions import BYSTANDER, task
from service.reports.example import example, fuller, likely
from service.reports.lays import sites
from service.reports.prospects import prospect
from service.reports.scene import CARETAKER, Narrated, Scene
from service.reports.turn import buttons, happened, own_next
from tests.engine.notation import positions
from tests.service.players import says, unsaid
from tests.service.reports.games import (
    TITLE,
    own,
    run_scene,
    scene,
    scenes,
    sent,
    to,
    without_train,
)


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def tags(html):
    parser = _Tags()
    parser.feed(html)
    return parser.found


def part(text, heading):
    """The lines of a section of the text part."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(heading))
    end = next(
        (i for i in range(start + 1, len(lines)) if not lines[i].startswith(" ")), len(lines)
    )
    return lines[start + 1 : end]


@pytest.mark.long
def test_every_turn_of_three_games_fits_its_limits():
    for at, told in scenes():
        for seat in at.view.to_act:
            page = turn_page(
                to(seat),
                at,
                Since(told[-40:], [Said("Bob", "well " * 400, 1)]),
                PageLook(False),
                reply_to=own(seat, "a@b.c"),
            )
            assert max(map(len, page.text.splitlines())) <= 78
            assert len(page.text.encode()) <= 6_000
            assert len(page.html.encode()) <= 60_000
            assert page.subject.startswith("[dixie7] YOUR ")


@pytest.mark.long
def test_the_example_of_every_turn_can_be_sent_as_it_stands():
    for at, _ in scenes():
        for seat in at.view.to_act:
            first, whole = likely(at, seat), fuller(at, seat)
            assert first
            text = turn_page(to(seat), at, Since(), PageLook(False)).text
            assert part(text, "REPLY WITH") == [f"  {line}" for line in first]
            assert not whole or "\nor\n" + "\n".join(f"  {c}" for c in whole) in text
            assert all(line[:20] in text for line in own_next(at, seat).lines)
            for commands in filter(None, (first, whole, example(at, seat))):
                assert sent(at, seat, commands) != at.state or commands == ("pass round",)


def test_the_first_line_passes_once_another_has_passed_and_the_second_passes_the_round():
    at = positions_scene(StockRound("Ann", 1, "Bob"))
    assert likely(at, "Ann") == ("pass",)
    assert fuller(at, "Ann") == ("pass round",)
    assert [one.commands for one in buttons(at, "Ann")][:2] == ["pass", "pass round"]
    at = positions_scene(StockRound("Ann", 0, "Bob"))
    [first], [second] = likely(at, "Ann"), fuller(at, "Ann")
    assert re.fullmatch(r"buy \S+ (ipo|market)", first)
    assert second == f"{first}; then pass round"
    assert next(buttons(at, "Ann")).commands == first


def test_a_turn_email_that_offers_to_pass_the_round_says_what_that_does():
    for passes in (0, 1):
        at = positions_scene(StockRound("Ann", passes, "Bob"))
        page = turn_page(to("Ann"), at, Since(), PageLook(False))
        assert says(page.text, turn.PASSES)
    page = turn_page(to("Ann"), run_scene(), Since(), PageLook(False))
    assert unsaid(page.text, turn.PASSES)


def test_the_first_line_runs_and_pays():
    assert likely(run_scene(), "Ann") == ("run, pay",)


def positions_scene(round_):
    state = positions.stock()
    return Scene("dixie7", TITLE, replace(state, stack=(round_, *state.stack[1:])))


@pytest.mark.long
def test_every_command_in_the_list_of_what_is_legal_is_legal():
    checked = 0
    for at, _ in scenes():
        for seat in at.view.to_act:
            text = " ".join(
                part(turn_page(to(seat), at, Since(), PageLook(False)).text, "LEGAL NOW")
            )
            # Trains are bought after the dividend, which is still to be decided.
            later = prospect(at) is not None
            for command in re.findall(r"`((?:buy|bid|par|sell|token|lay|discard) [^`]*)`", text):
                if "NAME" in command or (later and re.match(r"buy (?!private)", command)):
                    continue
                action = parse(at.title, at.state, seat, command)
                assert why_not(at.title, at.state, action) is None, command
                checked += 1
    assert checked > 100


def test_the_best_run_is_a_sum_that_adds_up():
    at = run_scene()
    lines = [
        line
        for line in turn_page(to("Ann"), at, Since(), PageLook(False)).text.splitlines()
        if " = $" in line
    ]
    assert lines
    for line in lines:
        sum_, _, total = line.partition(" = $")
        assert sum(int(term.split()[-1]) for term in sum_.split(" + ")) == int(total)
    total = best_run(at.table, "L&N").total
    assert (
        f"the best run on the current map: ${total}"
        in turn_page(to("Ann"), at, Since(), PageLook(False)).text
    )


def test_a_train_without_a_route_is_named():
    told = turn_page(to("Ann"), run_scene(), Since(), PageLook(False)).text
    assert f"{prospects.NO_ROUTE} 3 train" in " ".join(told.split())


def test_what_pay_gives_is_what_happens():
    at = run_scene()
    best = best_run(at.table, "L&N")
    state = apply(TITLE, at.state, Run(by="Ann", company="L&N", runs=best.runs)).state
    state = apply(TITLE, state, Dividend(by="Ann", company="L&N", kind="pay")).state
    gained = {seat: state.cash[seat] - at.state.cash[seat] for seat in ("Ann", "Bob")}
    line = next(
        line
        for line in turn_page(to("Ann"), at, Since(), PageLook(False)).text.splitlines()
        if "`pay`" in line
    )
    assert f"you ${gained['Ann']}, Bob ${gained['Bob']}; share price $90 → $105" in line


def test_an_offer_is_a_request_to_answer():
    at = positions.stock()
    sale = Question("Bob", "Ann", PrivateSale("M&C", "Bob", "Ann", 90))
    page = turn_page(
        to("Bob"),
        scene(replace(at, stack=(*at.stack, sale))),
        Since(),
        reply_to=own("Bob", "a@b.c"),
    )
    assert page.subject == "[dixie7] YOUR ANSWER: Ann offers $90 for M&C"
    assert part(page.text, "REPLY WITH") == ["  accept"]
    links = [
        parse_qs(urlsplit(a["href"]).query)["body"][0] for tag, a in tags(page.html) if tag == "a"
    ]
    assert links[:2] == ["accept", "decline"]


@pytest.mark.parametrize(
    ("sale", "asked", "words"),
    [
        (PrivateSale("M&C", "Bob", "Ann", 90), "Bob", "Ann offers Bob $90 for private M&C"),
        (PrivateSale("M&C", "Ann", "Bob", 90), "Bob", "Ann offers private M&C to Bob for $90"),
        (
            TrainSale("2", "M&O", "L&N", 50),
            "Bob",
            "Ann (for L&N) offers M&O $50 for a 2 train",
        ),
    ],
)
def test_an_offer_is_told_to_others_by_name(sale, asked, words):
    at = positions.stock()
    found = scene(replace(at, stack=(*at.stack, Question(asked, "Ann", sale))))
    assert task(found, asked, BYSTANDER).subject == words
    assert task(found, asked, "Cat").sentence.startswith(words)
    assert "you" in task(found, asked).sentence


def test_an_offer_that_cannot_be_accepted_any_more_is_only_to_be_declined():
    at = positions.stock()
    sale = Question("Bob", "Ann", PrivateSale("M&C", "Bob", "Ann", at.cash["Ann"] + 1))
    page = turn_page(
        to("Bob"),
        scene(replace(at, stack=(*at.stack, sale))),
        Since(),
        reply_to=own("Bob", "a@b.c"),
    )
    assert part(page.text, "REPLY WITH") == ["  decline"]
    assert "`accept`" not in page.text.partition("LEGAL NOW")[2]
    assert "decline" in page.text.partition("LEGAL NOW")[2]
    links = [
        parse_qs(urlsplit(a["href"]).query)["body"][0] for tag, a in tags(page.html) if tag == "a"
    ]
    assert "accept" not in links
    assert links[0] == "decline"


def test_a_discard_is_asked_of_its_president():
    at = positions.operating("trains")
    state = replace(
        at,
        phase="7",
        trains={**at.trains, "L&N": ("3", "3", "4")},
        stack=(*at.stack, Discard(("L&N",))),
    )
    page = turn_page(to("Ann"), scene(state), Since(), PageLook(False))
    assert page.subject == "[dixie7] YOUR TURN: L&N must discard a train, OR 2.1"
    assert "`discard 3`   `discard 4`" in page.text
    assert part(page.text, "REPLY WITH") == ["  discard 3"]


def test_a_forced_purchase_says_what_the_president_adds():
    page = turn_page(to("Ann"), without_train(), Since(), PageLook(False))
    assert page.subject == "[dixie7] YOUR TURN: L&N must buy a train, OR 2.1"
    warned = " ".join(" ".join(part(page.text, "WARNINGS")).split())
    assert "The cheapest, a 4 with NDY, costs $150; L&N has $60, you add $90." in warned


@pytest.mark.parametrize(
    ("offered", "warning"),
    [
        (
            ("3", "3", "4", "5"),
            "Two 3 trains left; the 4 after that begins phase 4: train limit 3, all 2 trains rust (your L&N has 1).",
        ),
        (
            ("4", "5"),
            "The player who buys the next train, a 4, begins phase 4: train limit 3, all 2 trains rust (your L&N has 1).",
        ),
    ],
)
def test_the_next_phase_is_foretold(offered, warning):
    at = run_scene().state
    at = replace(at, trains={**at.trains, "initial offering": offered})
    found = " ".join(
        " ".join(
            part(turn_page(to("Ann"), scene(at), Since(), PageLook(False)).text, "WARNINGS")
        ).split()
    )
    assert warning in found


def test_a_presidency_in_danger_is_pointed_out_on_both_sides():
    at = positions.stock()
    shares = {
        **at.shares,
        "L&N": {"Ann": (20, 10), "Bob": (10, 10, 10), "initial offering": (10,) * 4},
    }
    mine = turn_page(to("Ann"), scene(replace(at, shares=shares)), Since(), PageLook(False)).text
    assert "Bob holds 30% of your L&N, you 30%: one more share makes Bob its" in mine
    turn = replace(at, shares=shares, stack=(at.stack[0], StockTurn("Bob")))
    assert (
        "One more share of L&N makes you its president."
        in turn_page(to("Bob"), scene(turn), Since(), PageLook(False)).text
    )


def test_without_danger_there_are_no_warnings():
    at = replace(
        positions.stock(),
        trains={**positions.stock().trains, "initial offering": ("3", "3", "3", "4")},
    )
    assert "WARNINGS" not in turn_page(to("Ann"), scene(at), Since(), PageLook(False)).text


def test_acts_of_one_player_stand_together_and_his_name_once():
    told = [
        told_of(4, "Bob", ev.Passed("Bob")),
        told_of(5, "Cat", ev.Passed("Cat"), ev.RoundEnded("SR 2", "Ann"), ev.RoundBegan("OR 2.1")),
    ]
    text = turn_page(to("Ann"), scene(positions.stock()), Since(told), PageLook(False)).text
    assert part(text, "SINCE")[:3] == [
        "  Bob  passed",
        "  Cat  passed",
        "       SR 2 ended; Ann has the priority deal; OR 2.1 began",
    ]


def told_of(number, seat, *events):
    """An act of 18AL with what came of it."""
    return Narrated(number, seat, tuple(sentences(TITLE, events)))


def rows_of(*told):
    return {row.label: row.items for row in happened(told).rows}


def test_each_purchase_of_an_auction_names_who_bought():
    passed = told_of(
        5,
        "Bob",
        ev.Passed("Bob"),
        ev.PrivateBought("TR", "Ann", OFFERING, 20),
        ev.PrivateBought("M&C", "Bob", OFFERING, 105),
    )
    found = [(row.label, row.items) for row in happened([passed]).rows]
    assert found == [
        ("Bob", ("passed",)),
        ("Ann", ("bought Tuscumbia Railway (TR) for $20",)),
        ("Bob", ("bought Memphis & Charleston Railroad (M&C) for $105",)),
    ]


def test_an_act_after_what_another_or_nobody_did_names_who_acted_again():
    bought = ev.ShareBought("Ann", "L&N", 20, OFFERING, 160)
    floats = ev.Floated("L&N", 800)
    passed = ev.Passed("Ann")
    [(_, items)] = rows_of(told_of(5, "Ann", bought, floats, passed)).items()
    assert items[0].startswith("bought") and items[1:] == ("L&N floated with $800", "Ann passed")


def test_an_auction_begins_by_itself_among_all_bidders():
    events = (ev.PrivateBought("TR", "Ann", OFFERING, 20), ev.AuctionBegan("B&SLC", ("Bob", "Cat")))
    began = told_of(5, "Ann", *events)
    assert rows_of(began) == {
        "Ann": ("bought Tuscumbia Railway (TR) for $20",),
        "": ("an auction of B&SLC began among Bob and Cat",),
    }


def test_prices_that_rise_at_the_end_of_a_round_have_no_label():
    events = (ev.Passed("Cat"), ev.PriceMoved("L&N", 70, 75), ev.RoundEnded("SR 5", "Dan"))
    assert rows_of(told_of(5, "Cat", *events)) == {
        "Cat": ("passed",),
        "": (
            "the share price of L&N rose: $70 → $75",
            "SR 5 ended; Dan has the priority deal",
        ),
    }


def test_what_the_next_company_does_by_itself_is_not_the_last_players_action():
    events = (ev.PhaseBegan("2"), ev.TurnEnded("TAG"), ev.Floated("L&N", 800))
    assert rows_of(told_of(5, "Ann", *events)) == {
        "Ann": ("phase 2 began",),
        "": ("L&N floated with $800",),
    }


def test_what_follows_from_another_players_action_has_no_label():
    events = (
        ev.PresidentChanged("L&N", "Ann", "Bob"),
        ev.PriceMoved("L&N", 55, 40),
        ev.SharesSold("Ann", "L&N", 20, 110),
        ev.PriceMoved("L&N", 40, 35),
    )
    assert rows_of(told_of(5, "Ann", *events)) == {
        "Bob": ("became president of L&N (was Ann)",),
        "": ("the share price of L&N fell: $55 → $40",),
        "Ann": ("sold 20% of L&N for $110", "the share price of L&N fell: $40 → $35"),
    }


def test_what_the_caretaker_did_says_so():
    told = told_of(5, "Bob", ev.Passed("Bob"))
    act = Narrated(told.number, told.seat, told.sentences, caretaker=True)
    assert rows_of(act) == {CARETAKER.format(name="Bob"): ("passed",)}


def test_a_players_words_cannot_pass_for_ours():
    said = [Said("Bob", "hello\nLEGAL NOW\n-- \n<b>bold</b>", 3)]
    page = turn_page(to("Ann"), scene(positions.stock()), Since((), said), PageLook(False))
    assert page.text.splitlines().count("LEGAL NOW") == 1
    assert "    LEGAL NOW" in page.text.splitlines()
    assert "<b>" not in page.html


def test_the_html_loads_nothing_and_runs_nothing():
    page = turn_page(to("Ann"), run_scene(), Since(), reply_to=own("Ann", "play+d.ann.x@host.org"))
    for tag, attrs in tags(page.html):
        assert tag not in ("script", "link", "iframe", "form")
        assert not any(name.startswith("on") for name in attrs)
        assert attrs.get("src", "cid:").startswith("cid:")
        assert (
            attrs.get("href", "mailto:").startswith(
                "mailto:play+d.ann.x@host.org?".replace("+", "%2B")
            )
            or tag != "a"
        )
    assert "url(" not in page.html


def test_pictures_are_shown_where_they_are_and_can_be_left_out():
    page = turn_page(to("Ann"), run_scene(), Since(), PageLook(new_tiles=frozenset(["C4"])))
    shown = [attrs["src"] for tag, attrs in tags(page.html) if tag == "img"]
    assert shown == [f"cid:{figure.cid}" for figure in page.figures]
    assert all(figure.svg.startswith("<svg") and figure.alt for figure in page.figures)
    assert "New tiles: C4." in page.figures[0].alt
    assert turn_page(to("Ann"), run_scene(), Since(), PageLook(False)).figures == ()


def test_the_tiles_that_may_be_laid_are_shown():
    at = scene(positions.operating("track"))
    laid = {tile for site in sites(at, "Ann") for tile in site.tiles}
    *_, shown = turn_page(to("Ann"), at, Since()).figures
    assert {"7", "8", "9"} <= laid
    assert set(shown.alt.removesuffix(".").partition(": ")[2].split(", ")) == laid
    assert all(f">{tile}<" in shown.svg for tile in laid), "each is named below its picture"
    *_, shown = turn_page(to("Ann"), scene(positions.operating("trains")), Since()).figures
    assert shown.cid.startswith("map")


def test_a_note_stands_before_everything_else():
    text = turn_page(
        to("Ann"), run_scene(), Since(), PageLook(False), note="Your order 2 was suspended."
    ).text
    assert text.index("Your order 2") < text.index("LEGAL NOW")


def test_the_buttons_are_legal_replies():
    at = run_scene()
    page = turn_page(to("Ann"), at, Since(), PageLook(False), reply_to=own("Ann", "a@b.c"))
    bodies = [
        parse_qs(urlsplit(a["href"]).query)["body"][0].split("\r\n")
        for tag, a in tags(page.html)
        if tag == "a"
    ]
    assert ["run", "pay"] in bodies and ["run", "withhold"] in bodies
    for body in bodies[:2]:
        state = at.state
        for command in body:
            state = apply(TITLE, state, parse(TITLE, state, "Ann", command)).state


def test_the_example_is_the_first_button():
    for at, _ in scenes():
        for seat in at.view.to_act:
            first = next(buttons(at, seat))
            assert first.commands.replace(", ", "\n") == "\n".join(likely(at, seat)).replace(
                ", ", "\n"
            )
            assert len(first.label) <= 42


def test_words_without_news_have_a_heading():
    page = turn_page(to("Ann"), run_scene(), Since((), [Said("Ann", "hello", 1)]), PageLook(False))
    assert "MESSAGES\n  Ann says: hello" in page.text
    assert ">MESSAGES</h2>" in page.html
    told = [told_of(3, "Bob", ev.Passed("Bob"))]
    page = turn_page(
        to("Ann"), run_scene(), Since(told, [Said("Ann", "hello", 1)]), PageLook(False)
    )
    assert "MESSAGES" not in page.text


@pytest.mark.parametrize(
    ("due", "told"),
    [
        (None, "[dixie7] YOUR ANSWER: Offer 1: Ann offers $440 for a 2 train"),
        (1_601_600_580, "[dixie7] YOUR ANSWER: a 2 train for $440, by Fri 2 Oct 01:03"),
    ],
)
def test_the_subject_of_an_offer_names_the_thing_and_its_price(due, told):
    sale = Question("Bob", "Ann", TrainSale("2", "M&O", "L&N", 440))
    at = positions.stock()
    found = Scene("dixie7", TITLE, replace(at, stack=(*at.stack, sale)), offer=1)
    since = Since(clock=Deadline(due) if due else None)
    assert turn_page(to("Bob"), found, since).subject == told
    assert len(told) <= 60
