"""The timetable: every job in one place, and when the queues have work next."""

import asyncio

from service.app.relays import Relays
from service.app.timetable import timetable
from service.mail.sender import Sent, SmtpSettings
from service.settings import JobsSection, Settings
from tests.service.players import NOW


def jobs_of(players):
    jobs = JobsSection(fetch=60, moderate=5, send=7, tidy=86_400)
    found = timetable(players.office, Settings(jobs=jobs))
    return {job.name: job for job in found}


def test_the_jobs_of_an_office_and_how_often_they_are_done(players):
    every = {name: job.every for name, job in jobs_of(players).items()}
    assert {"look": 60, "moderate": 5, "send": 7, "tidy": 86_400}.items() <= every.items()
    assert sum(job.fetches for job in jobs_of(players).values()) == 1


def test_a_mail_is_due_at_once_and_while_it_is_worked_on_when_its_lease_ends(players):
    assert players.store.work.due().mail is None
    seat = players.seat_address("dixie1", "Ann")
    players.arrive(players.mail("ann@players.test", seat, "status"))
    assert players.store.work.due().mail == 0
    players.store.mails.claim("another", NOW, 300)
    assert jobs_of(players)["moderate"].due() == NOW + 300


def test_a_letter_is_due_when_it_is_to_be_tried_again(players):
    async def later(smtp, batch):
        return [Sent(mail.id, "later", "450 not now") for mail in batch]

    players.collect()
    players.stranger("eve@elsewhere.test", "games")
    assert players.store.work.due().letter is None, "the test has taken it"
    players.arrive(players.mail("fay@elsewhere.test", players.service.address, "games"))
    jobs = jobs_of(players)
    assert asyncio.run(jobs["moderate"].step())
    assert jobs["send"].due() == 0
    players.office.relays = Relays.of(SmtpSettings("nowhere", 25))
    players.office.deliver = later
    assert asyncio.run(jobs["send"].step())
    assert jobs["send"].due() == NOW + 60
    assert not asyncio.run(jobs["send"].step()), "it waits"
