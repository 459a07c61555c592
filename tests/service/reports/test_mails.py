"""News, the end of a game, and the letters around it."""

import pytest
from msgspec.structs import replace

from engine.position.values import Ending
from engine.telling.narration import Sentence
from service.audience import EVERYBODY, OPERATOR, of_organiser, of_table
from service.reports import (
    About,
    Narrated,
    PageLook,
    Said,
    Scene,
    Since,
    answer_page,
    answers,
    confirm_page,
    created_page,
    ended_page,
    fault_page,
    foreign_page,
    joined_page,
    news_page,
    note_page,
    opening_blocks,
    position,
    round_page,
    seated,
    stranger_page,
    welcome_page,
)
from service.reports.news import worths
from tests.rules.gl.setting import on as lakes
from tests.service.players import says
from tests.service.reports.games import TITLE, own, run_scene, scene, to

LETTERS = (
    confirm_page(to("Bob"), TITLE, "", own("Bob", "r@h.org"), templates=None),
    joined_page(to("Bob"), TITLE, own("Bob", "play+x@h.org"), ("Ann", "Bob"), templates=None),
    welcome_page(
        to("Bob"),
        TITLE,
        own("Bob", "play+x@h.org"),
        opening_blocks(TITLE, seated(("Ann", "Bob", "Cat"))),
        "Ann",
        templates=None,
    ),
    created_page(of_organiser("dixie7"), TITLE, "play@h.org", templates=None),
    stranger_page(EVERYBODY, "play@h.org", ("dixie7",), templates=None),
    foreign_page(
        to("Bob"), "eve@evil.org", "it is not yours", About("dixie7", seat="Bob", templates=None)
    ),
    fault_page(OPERATOR, 7, "bob@h.org", "dixie7", "KeyError: 'x'", templates=None),
    note_page(
        EVERYBODY,
        "[dixie7] Full",
        "dixie7 is full.",
        ("There are 5 players.",),
        ("games",),
        about=About(templates=None),
    ),
    answer_page(
        EVERYBODY, "Re: map", "dixie7", answers.map_(run_scene()), About("dixie7", templates=None)
    ),
)


@pytest.mark.parametrize("page", LETTERS, ids=lambda page: page.subject)
def test_letters_fit_their_columns_and_say_the_same_twice(page):
    assert max(map(len, page.text.splitlines())) <= 78
    assert "{" not in page.text and "undefined" not in page.text.lower()
    assert page.html.startswith("<!DOCTYPE html>") and len(page.html) < 60_000


def test_a_seat_is_confirmed_by_one_word():
    assert "\nREPLY WITH\n  yes\n" in LETTERS[0].text
    assert "mailto:r@h.org?subject=" in LETTERS[0].html and "body=yes" in LETTERS[0].html


def test_a_seats_address_stands_in_no_text():
    for page in LETTERS:
        assert "play+x" not in page.text
    assert "play%2Bx@h.org" in LETTERS[2].html


def test_a_welcome_names_seats_and_variants():
    text = LETTERS[2].text
    assert (
        "Ann, Bob, Cat (drawn by lot; Ann has the priority deal)" in text
        and "optional rules  none" in text
    )


def test_an_organiser_learns_how_others_join():
    assert "  join dixie7 as NAME" in LETTERS[3].text and "  start dixie7" in LETTERS[3].text


def test_news_say_in_the_subject_what_was_done():
    at = run_scene()
    page = news_page(
        of_table("dixie7"),
        at,
        Since(
            [Narrated(3, "Bob", (Sentence("M&O ran for $40 (2: Q2-P3)"),))], [Said("Bob", "hm", 3)]
        ),
    )
    number = at.view.number
    moved = f"[dixie7] OR 2.1, move {number} – M&O ran for $40 (2: Q2-P3)"
    assert page.subject == moved and page.figures == ()
    assert "Bob  M&O ran for $40" in page.text and "Bob says: hm" in page.text


@pytest.mark.parametrize(
    ("movers", "said", "told"),
    [
        (("Bob", "Cat"), (), "Bob and Cat moved"),
        (("Bob", "Bob"), (), "Bob passed"),
        ((), ("Ann",), "message from Ann"),
    ],
)
def test_news_of_several_moves_name_who_moved_in_the_subject(movers, said, told):
    narrated = [Narrated(3, name, (Sentence("passed", name),)) for name in movers]
    messages = [Said(name, "hm: pass", 3) for name in said]
    page = news_page(of_table("dixie7"), run_scene(), Since(narrated, messages))
    assert page.subject.endswith(f" – {told}") and len(page.subject) <= 60


def test_a_round_mail_has_tables_map_and_chart():
    page = round_page(
        of_table("dixie7"),
        run_scene(),
        "SR 2",
        Since([Narrated(3, "Bob", (Sentence("passed", "Bob"),))]),
    )
    assert page.subject == "[dixie7] SR 2 complete – OR 2.1 begins"
    assert [figure.filename.split("-")[1] for figure in page.figures] == ["map", "market"]
    assert "PLAYERS" in page.text and "PRIVATE COMPANIES" in page.text


def ended(ending):
    return scene(replace(run_scene().state, stack=(), ending=ending))


def test_final_worth_adds_up_and_the_richest_wins():
    at = ended(Ending("bank"))
    for row in worths(at).rows:
        *parts, total = (int(cell.removeprefix("$")) for cell in row[1:5])
        assert sum(parts) == total == at.players[row[0]].worth
    page = ended_page(of_table("dixie7"), at, Since())
    best = max(at.view.players, key=lambda player: player.worth)
    assert page.subject == f"[dixie7] The end: {best.seat} wins"
    assert "The bank ran out of money." in page.text


def test_who_is_left_wins_even_with_less_than_the_bankrupt():
    state = lakes.company(lakes.stock_turn(), "IC", {"Ann": 60}, par=60, loans=2)
    state = replace(lakes.money(state, {"Ann": 0}), out=("Bob", "Cas"), stack=())
    at = Scene("lakes1", lakes.title, replace(state, ending=Ending("survivor")))
    page = ended_page(of_table("dixie7"), at, Since())
    assert page.subject == "[lakes1] The end: Ann wins"
    assert [row[0] for row in worths(at).rows] == ["Ann", "Bob", "Cas"]


def test_a_bankrupt_player_keeps_no_cash():
    row = next(row for row in worths(ended(Ending("bankruptcy", 0, "Bob"))).rows if row[0] == "Bob")
    assert row[1] == "$0"
    assert (
        "Bob went bankrupt."
        in ended_page(of_table("dixie7"), ended(Ending("bankruptcy", 0, "Bob")), Since()).text
    )


def test_reconstructions_are_marked_in_every_mail():
    facts = replace(TITLE.facts, provenance={"the map": "drawn from photographs"})
    at = run_scene()
    marked = Scene("dixie7", type(TITLE)(facts, TITLE.rules, TITLE.variants), at.state)
    for page in (
        news_page(of_table("dixie7"), marked, Since()),
        round_page(of_table("dixie7"), marked, "SR 2", Since(), PageLook(False)),
    ):
        assert says(page.text, position.RECONSTRUCTED, parts="the map")
        assert "May differ from your printed game: the map. <code" in page.html


def test_the_operators_own_template_goes_first(tmp_path):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "foreign.txt.j2").write_text("Ahoy {{ seat }}")
    page = foreign_page(
        to("Bob"), "eve@evil.org", "it is not yours", About(seat="Bob", templates=tmp_path)
    )
    assert page.text == "Ahoy Bob\n"
    assert "Somebody wrote in your name, Bob." in page.html
