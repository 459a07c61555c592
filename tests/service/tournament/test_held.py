"""Emails of a tournament that prove too little: held until their owner confirms them."""

import re

import pytest

from service.desk.door import NOTHING, Done, finish
from service.desk.letters.post import Desk
from service.desk.proving import held
from service.desk.tournament import tournament_email, tournament_proof
from service.desk.tournament.directing.tournament_directing import operated
from service.reports.letters import NO_EMAIL_WAITS, NONE_WAITS
from service.store import Occasion
from tests.service.players import address, says
from tests.service.tournament.setting import DIRECTOR, NAME

EVE = "eve@elsewhere.test"


def states(cup):
    return {entry.name: entry.state for entry in cup.cup.entries}


def number(letter):
    """The number that confirms a held email."""
    return re.search(r"yes (\d{8})", letter.text)[1]


def kinds(letters):
    return sorted((one.to, one.kind) for one in letters)


@pytest.fixture
def strict(cup):
    """The tournament asks for a signature, and the director's server does not sign."""
    desk = Desk(cup.people.service, cup.people.now, Occasion("operator", "rules"))
    with cup.people.store.reading() as reads:
        made = operated(reads, desk, cup.know(), "rules\ngrade: tournament")
    told = Done(letters=made.letters, also=made.write)
    finish(cup.people.store, desk.now, NOTHING, told)
    cup.took(cup.people.work())
    assert cup.cup.rules.grade == "tournament"
    return cup


def test_a_director_confirms_an_email_without_a_signature_and_it_is_done_once(strict):
    [asked] = strict.direct("close")
    assert (asked.to, asked.kind) == (DIRECTOR, "foreign")
    assert says(asked, tournament_proof.NO_SIGNATURE)
    assert strict.cup.status == "announced"
    yes = f"yes {number(asked)}"
    letters = strict.people.reply(asked, yes)
    assert (DIRECTOR, "receipt") in kinds(letters) and strict.cup.status == "closed"
    acts = strict.cup.last
    [told] = strict.people.reply(asked, yes)
    assert says(told, held.DONE_ALREADY) and strict.cup.last == acts


def test_an_email_with_the_token_of_an_entrant_from_elsewhere_waits_for_the_entrant(cup):
    cup.enter("Ann", "Bob")
    letter = cup.latest[address("Bob"), "entry"]
    letters = cup.people.reply(letter, "withdraw yes", sender=EVE)
    assert kinds(letters) == [(address("Bob"), "foreign"), (EVE, "away")]
    [asked] = [one for one in letters if one.to == address("Bob")]
    assert says(asked, tournament_proof.ANOTHER_SENDER) and "withdraw yes" in asked.text
    assert states(cup) == {"Ann": "entered", "Bob": "entered"}
    yes = f"yes {number(asked)}"
    assert cup.people.reply(asked, yes, sender=EVE) == []
    other = cup.latest[address("Ann"), "entry"]
    [told] = cup.people.reply(other, yes)
    assert says(told, NO_EMAIL_WAITS, number=number(asked), name="Ann", why=NONE_WAITS)
    assert states(cup) == {"Ann": "entered", "Bob": "entered"}
    cup.people.reply(asked, yes)
    assert states(cup) == {"Ann": "entered", "Bob": "withdrawn"}


def test_nobody_else_enters_in_the_name_of_a_person_who_was_asked(cup):
    [asked] = cup.ask("Bob")
    [told] = cup.people.reply(asked, "yes", sender=EVE)
    assert told.to == EVE and says(told, tournament_email.NOT_YOURS, cup=NAME)
    assert states(cup) == {"Bob": "asked"}


def test_a_held_email_expires_and_is_forgotten(strict):
    [asked] = strict.direct("close")
    strict.people.now += held.STANDS + 1
    [told] = strict.people.reply(asked, f"yes {number(asked)}")
    assert says(told, held.COULD_BE_CONFIRMED) and strict.cup.status == "announced"
    with strict.people.store.transaction() as tx:
        tx.proofs.forget(strict.people.now)
    [told] = strict.people.reply(asked, f"yes {number(asked)}")
    assert says(told, NO_EMAIL_WAITS, number=number(asked), name="director", why=NONE_WAITS)


def test_wrong_numbers_are_counted(strict):
    [asked] = strict.direct("close")
    right, letters = number(asked), []
    for guess in range(60):
        letters += strict.people.reply(asked, f"yes {guess:08}")
    assert len(letters) < 60
    letters = strict.people.reply(asked, f"yes {right}")
    assert strict.cup.status == "announced"
    assert not letters or says(letters[0], held.TOO_MANY_WRONG)


def test_many_emails_from_elsewhere_are_listed_together(cup):
    cup.enter("Bob")
    letter = cup.latest[address("Bob"), "entry"]
    for count in range(12):
        cup.people.reply(letter, "zone Europe/Paris", f"record Ann{count}", sender=EVE)
    cup.people.now += 24 * 3600
    [told] = [one for one in cup.people.work() if one.kind == "held"]
    assert told.to == address("Bob") and len(re.findall(r"yes \d{8}", told.text)) > 1
    assert cup.cup.entry("Bob").zone == "UTC"
    cup.people.reply(told, f"yes {number(told)}")
    assert cup.cup.entry("Bob").zone == "Europe/Paris"
