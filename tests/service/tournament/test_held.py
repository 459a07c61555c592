"""Emails of a tournament that prove too little: held until their owner confirms them."""

import re

import pytest

from service.desk.door import NOTHING, Done, finish
from service.desk.letters.desk import Desk
from service.desk.proving import held
from service.desk.tournament.answering import tournament_email
from service.desk.tournament.directing.tournament_directing import operated
from service.desk.tournament.proving import tournament_proof
from service.reports.letters import NO_EMAIL_WAITS, NONE_WAITS
from service.store import Occasion
from tests.service.players import address, says
from tests.service.tournament.setting import DIRECTOR, NAME

EVE = "eve@elsewhere.test"


def states(spring):
    return {entry.name: entry.state for entry in spring.tournament.entries}


def number(letter):
    """The number that confirms a held email."""
    return re.search(r"yes (\d{8})", letter.text)[1]


def kinds(letters):
    return sorted((one.to, one.kind) for one in letters)


@pytest.fixture
def strict(spring):
    """The tournament asks for a signature, and the director's server does not sign."""
    desk = Desk(spring.people.service, spring.people.now, Occasion("operator", "rules"))
    with spring.people.store.reading() as reads:
        made = operated(reads, desk, spring.know(), "rules\ngrade: tournament")
    told = Done(letters=made.letters, also=made.write)
    finish(spring.people.store, desk.now, NOTHING, told)
    spring.took(spring.people.work())
    assert spring.tournament.rules.grade == "tournament"
    return spring


def test_a_director_confirms_an_email_without_a_signature_and_it_is_done_once(strict):
    [asked] = strict.direct("close")
    assert (asked.to, asked.kind) == (DIRECTOR, "foreign")
    assert says(asked, tournament_proof.NO_SIGNATURE)
    assert strict.tournament.status == "announced"
    yes = f"yes {number(asked)}"
    letters = strict.people.reply(asked, yes)
    assert (DIRECTOR, "receipt") in kinds(letters) and strict.tournament.status == "closed"
    acts = strict.tournament.last
    [told] = strict.people.reply(asked, yes)
    assert says(told, held.DONE_ALREADY) and strict.tournament.last == acts


def test_an_email_with_the_token_of_an_entrant_from_elsewhere_waits_for_the_entrant(spring):
    spring.enter("Ann", "Bob")
    letter = spring.latest[address("Bob"), "entry"]
    letters = spring.people.reply(letter, "withdraw yes", sender=EVE)
    assert kinds(letters) == [(address("Bob"), "foreign"), (EVE, "away")]
    [asked] = [one for one in letters if one.to == address("Bob")]
    assert says(asked, tournament_proof.ANOTHER_SENDER) and "withdraw yes" in asked.text
    assert states(spring) == {"Ann": "entered", "Bob": "entered"}
    yes = f"yes {number(asked)}"
    assert spring.people.reply(asked, yes, sender=EVE) == []
    other = spring.latest[address("Ann"), "entry"]
    [told] = spring.people.reply(other, yes)
    assert says(told, NO_EMAIL_WAITS, number=number(asked), name="Ann", why=NONE_WAITS)
    assert states(spring) == {"Ann": "entered", "Bob": "entered"}
    spring.people.reply(asked, yes)
    assert states(spring) == {"Ann": "entered", "Bob": "withdrawn"}


def test_nobody_else_enters_in_the_name_of_a_person_who_was_asked(spring):
    [asked] = spring.ask("Bob")
    [told] = spring.people.reply(asked, "yes", sender=EVE)
    assert told.to == EVE and says(told, tournament_email.NOT_YOURS, tournament=NAME)
    assert states(spring) == {"Bob": "asked"}


def test_a_held_email_expires_and_is_forgotten(strict):
    [asked] = strict.direct("close")
    strict.people.now += held.STANDS + 1
    [told] = strict.people.reply(asked, f"yes {number(asked)}")
    assert says(told, held.COULD_BE_CONFIRMED) and strict.tournament.status == "announced"
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
    assert strict.tournament.status == "announced"
    assert not letters or says(letters[0], held.TOO_MANY_WRONG)


def test_many_emails_from_elsewhere_are_listed_together(spring):
    spring.enter("Bob")
    letter = spring.latest[address("Bob"), "entry"]
    for count in range(12):
        spring.people.reply(letter, "zone Europe/Paris", f"record Ann{count}", sender=EVE)
    spring.people.now += 24 * 3600
    [told] = [one for one in spring.people.work() if one.kind == "held"]
    assert told.to == address("Bob") and len(re.findall(r"yes \d{8}", told.text)) > 1
    assert spring.tournament.entry("Bob").zone == "UTC"
    spring.people.reply(told, f"yes {number(told)}")
    assert spring.tournament.entry("Bob").zone == "Europe/Paris"
