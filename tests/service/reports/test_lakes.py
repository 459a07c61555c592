"""Mails of 18GL show treasuries, loans, bonds, ferries and mergers; others have none of it."""

import pytest
from msgspec.structs import replace

from engine import load_title, new_game
from engine.actions import LayTile
from engine.position.frames import MergerStations, OldStation, Question, Redeem
from engine.position.values import BANK, Ending
from engine.proposals import BarredLay
from service.audience import EVERYBODY, of_table
from service.reports import About, Handled, PageLook, Result, Scene, Since, answers, position
from service.reports.advice import legal
from service.reports.decisions import task
from service.reports.letters import answer_page, confirm_page, foreign_page, note_page
from service.reports.news import ended_page, news_page, round_page
from service.reports.receipt import receipt_page
from service.reports.tables import blocks_text
from service.reports.turn import turn_page
from service.reports.warnings import warnings
from service.workshop.practice.script import recorded_game
from tests.rules.gl.setting import on
from tests.service.players import says
from tests.service.practice.lakes import ON, TITLE, late
from tests.service.reports.games import to


def scene(state=None, **changes):
    return Scene("lakes1", TITLE, replace(state or late(), **changes))


def status(found):
    return answers.status(found).text


def test_the_companies_show_their_treasury_and_what_they_owe():
    lines = status(scene()).splitlines()
    head = next(line for line in lines if line.startswith("CO "))
    assert " ".join(head.split()[:10]) == "CO pres price left mkt cash trains tok last loans"
    own = next(line for line in lines if line.startswith("B&O "))
    assert own.split()[3] == "40%"
    assert own.split()[9] == "1"
    assert "A share of CR is 5%." in flat()


def test_loans_are_shown_only_while_there_are_any():
    assert " loans" not in status(scene(loans={}))


def test_bonds_stand_with_their_owners():
    text = status(scene())
    assert "BONDS of CR, $100 each: CR 6, open market 1, Ann 3" in flat()
    player = next(line for line in text.splitlines() if line.startswith("Ann "))
    assert player.split()[4] == "3"
    assert "bonds" not in status(Scene("lakes1", TITLE, new_game(TITLE, ["Ann", "Bob"]).state))


def test_a_ferry_is_named_with_whose_token_runs_it():
    ferry = next(iter(TITLE.ferries))
    assert f"{ferry} runs: CR has its token, others pay $50 a train" in flat(ferries={ferry: "CR"})
    assert f"{ferry} runs: free for all" in flat(ferries={ferry: BANK})
    assert "FERRIES" not in flat()


def flat(state=None, **changes):
    """The position in words, without its line breaks."""
    return " ".join(status(scene(state, **changes)).split())


def test_what_forms_by_a_merger_is_told_until_it_is_decided():
    early = flat(ON.stock_turn())
    assert "CR (Consolidated Rail Corporation) forms when phase 10H or E begins" in early
    assert "CR" not in flat(ON.turn("track", "B&O")).partition("Not started: ")[2].partition(".")[0]
    assert "MERGER" not in flat()
    assert "MERGER" not in flat(ON.phase(ON.stock_turn(), "E"))


def test_who_is_out_and_what_is_gone_are_told():
    text = flat(out=("Cas",), gone=("GT",))
    assert "Gone: GT." in text
    assert "bankrupt, out" in text


def test_a_company_tells_its_debts_and_its_treasury():
    found = scene()
    one, other = (answers.status(found, name).text for name in ("B&O", "CR"))
    assert "owes        1 loan" in one
    assert "treasury 40%" in one
    assert "4 bonds that others hold" in other
    assert "(6 bonds in its treasury)" in other


def test_leave_is_asked_with_the_command_and_the_private():
    lay = LayTile(by="Bob", company="CR", tile="57", hex="L14", rotation=0)
    asked = Question("Ann", "Bob", BarredLay("C&E", "CR", lay))
    found = task(scene(stack=(*late().stack, asked)), "Ann")
    assert (
        "Bob asks your leave for CR, on a hex that your C&E bars: `CR: lay 57 L14" in found.sentence
    )
    assert "`" not in found.subject


@pytest.mark.parametrize(
    ("frame", "subject"),
    [
        (Redeem("CR"), "CR may redeem bonds"),
        (MergerStations("CR", {"GT": 2}, (OldStation("J12", 0, ("GT",)),)), "CR keeps tokens"),
    ],
)
def test_steps_about_debts_and_mergers_have_words(frame, subject):
    state = ON.operating(late(), "CR", "redeem")
    found = scene(state, stack=(*state.stack[:-1], frame))
    assert task(found, "Bob").subject == subject
    page = turn_page(to("Bob"), found, Since(), PageLook(False))
    assert subject in page.subject
    assert "REPLY WITH, for example\n  " in page.text


def test_the_set_of_rounds_that_ends_the_game_is_announced():
    ending = Ending("bank", full_set=True)
    assert "The game ends after this set of operating rounds." in warnings(
        scene(ending=ending), "Ann"
    )


def test_a_train_that_was_extended_is_warned_of_only_where_there_is_one():
    state = ON.turn("track", "B&O", at_phase="4H", trains=["2H"])
    offered = {**state.trains, "initial offering": ("6H", "10H")}
    plain = " ".join(warnings(scene(state, trains=offered), "Ann"))
    assert "all 2H trains rust (your B&O has 1)" in plain
    assert "2H+2" not in plain
    longer = {**offered, "B&O": ("2H+2",)}
    assert "2H+2" in " ".join(warnings(scene(state, trains=longer), "Ann"))


def test_the_end_counts_bonds_and_no_privates():
    page = ended_page(
        of_table("dixie7"), scene(stack=(), ending=Ending("survivor")), Since(), pictures=False
    )
    head = next(line for line in page.text.splitlines() if line.startswith("FINAL WORTH"))
    assert " ".join(head.split()) == "FINAL WORTH cash shares bonds total holds"
    assert "All others went bankrupt." in page.text
    assert "4 CR" in page.text


def pages():
    """One of each kind of mail about a game."""
    found = scene()
    yield turn_page(to("Ann"), found, Since(), PageLook(False))
    shown = Result(1, "market", "answer", answer=answers.market(found))
    yield receipt_page(to("Ann"), found, Handled((shown,), True), "Re: your turn", pictures=False)
    yield news_page(to("Bob"), found, Since())
    yield round_page(of_table("dixie7"), found, "SR 2", Since(), PageLook(False))
    yield ended_page(
        of_table("dixie7"), scene(stack=(), ending=Ending("bank")), Since(), pictures=False
    )
    yield confirm_page(to("Ann"), TITLE, templates=None)
    yield note_page(
        to("Ann"), "Re: x", "NOT DONE", ("why",), about=About("lakes1", TITLE, templates=None)
    )
    yield foreign_page(
        to("Ann"), "mallory@example.org", "it is not yours", About("lakes", TITLE, templates=None)
    )
    yield answer_page(
        EVERYBODY, "Re: x", "market", answers.market(found), About("lakes1", TITLE, templates=None)
    )


def test_every_mail_names_what_is_reconstructed_in_one_line():
    for page in pages():
        words = {"parts": "stock chart, bank and costs on the map"}
        assert says(page.text, position.RECONSTRUCTED, **words), page.subject
        assert page.text.count("May differ from your printed game") == 1, page.subject
        assert "bank and costs on the map. <code" in page.html and "`" not in page.html


def test_the_game_s_page_is_named_where_there_is_one():
    at = Scene("lakes1", TITLE, late(), link="https://x.test/g/")
    page = turn_page(to("Ann"), at, Since(), PageLook(False))
    [at] = [i for i, line in enumerate(page.text.splitlines()) if "https://" in line]
    assert "the game's page:" in " ".join(page.text.splitlines()[at - 2 : at])


def test_status_tells_how_each_part_was_reconstructed():
    text = " ".join(answers.status(scene()).text.split())
    for note in TITLE.facts.provenance.values():
        assert note[1:] in text


def test_who_is_not_asked_reads_whose_leave_is_asked():
    lay = LayTile(by="Ann", company="IC", hex="D16", tile="9", rotation=0, power="RailWorks")
    state = on.turn("track", "IC", owns={"RailWorks": "Bob"})
    waiting = Scene("lakes", on.title, on.after(state, lay))
    assert "asks your leave for IC, by your RailWorks" in task(waiting, "Bob").subject
    for page in (
        news_page(to("Cat"), waiting, Since()),
        receipt_page(to("Ann"), waiting, Handled((), True), "x"),
        answer_page(
            EVERYBODY,
            "x",
            "status",
            answers.status(waiting),
            About("lakes1", TITLE, templates=None),
        ),
    ):
        text = " ".join(page.text.split())
        assert "Ann asks Bob's leave for IC, by Bob's RailWorks" in text
        assert "your leave" not in text and "your RailWorks" not in text


def test_markers_of_a_private_are_one_command_with_their_places():
    state = on.turn("token", "IC", owns={"Port": "Bob"})
    told = " ".join(blocks_text([legal(Scene("lakes", on.title, state), "Ann")]).split())
    assert told.count("mark HEX") == 1
    assert "use Port: mark HEX" in told and told.count("Bob is asked") == 1


def test_a_share_of_a_company_that_is_not_started_is_told():
    state = new_game(TITLE, ["Ann", "Bob"]).state
    company = next(iter(TITLE.companies))
    shares = {**state.shares, company: {**state.shares[company], "Ann": (10,)}}
    at = scene(replace(state, shares=shares))
    assert f"Ann holds 10% of {company}, which is not started." in answers.status(at).text


def test_the_purchase_that_closes_a_private_is_told_before():
    company, private = next(iter(TITLE.founders.items()))
    state = on.turn("trains", company, owns={private: "Bob"})
    at = Scene("lakes", on.title, state)
    told = " ".join(blocks_text([legal(at, "Ann")]).split())
    assert f", {private} closes" in told
    assert f"Your {private} closes when {company} buys its first train." in warnings(at, "Bob")


def test_mails_of_18gl_fit_their_columns():
    assert max(len(line) for page in pages() for line in page.text.splitlines()) <= 78


@pytest.mark.parametrize("name", ["18AL", "18GA", "18TN"])
def test_other_titles_have_no_word_of_it(name):
    played = recorded_game(name)
    middle = played.states[len(played.states) // 2]
    text = answers.status(Scene("dixie7", load_title(name), middle)).text
    head = next(line for line in text.splitlines() if line.startswith("CO "))
    assert " ".join(head.split()[:10]) == "CO pres price par ipo mkt cash trains tok last"
    assert not {"FERRIES", "BONDS", "MERGER", "loans", "left:"} & set(text.split())


def test_a_run_that_pays_for_a_ferry_is_offered_beside_the_best_without():
    state = on.turn("run", "MR", trains=["4H"], laid="D10 730 0,F10 724 0,E9 722 1")
    state = replace(on.company(state, "IC", {"Bob": 60}), ferries={"Milwaukee–Muskegon": "IC"})
    told = " ".join(blocks_text([legal(Scene("lakes", on.title, state), "Ann")]).split())
    assert "`run` is the best run: $90 on the current map" in told
    assert "$100 with $50 paid for ferries, `routes` shows how" in told
