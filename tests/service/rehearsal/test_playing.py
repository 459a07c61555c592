"""A scenario is played by the service's own jobs; what does not come about is told, all of it."""

import json
from email import message_from_bytes, policy
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.app import timetable as real
from service.cli import program
from service.desk import moderator
from service.desk.door import finish
from service.desk.turns.turn import TurnEmail
from service.logs import configure
from service.store.mails import Mails
from service.workshop.rehearsal import Options, ScenarioError, rehearse, world
from service.workshop.rehearsal.reading import read

PEOPLE = "people: Ann, Bob, Cat, Eve\n"
GAME = f"{PEOPLE}game 18AL dixie7: Ann, Bob, Cat\n"


def played(text, told=None):
    configure("critical")
    options = Options(told=told) if told else None
    return rehearse(read(text, Path("x.rehearsal")), options)


def failures(text):
    """Line → (what was expected, what came)."""
    return {v.place.line: (v.expected, v.came) for v in played(text).failed}


def test_all_expectations_that_do_not_hold_are_told_with_what_came_instead():
    text = (
        f"{GAME}Ann replies\n  buy TR\n> Ann: sold Tuscumbia\n> Eve: hello\n> Bob: YOUR TURN\n"
        "> nobody else\n> no email to Bob: YOUR TURN\n= Ann 600, acts Ann\n= outbox failed 1\n"
        "= acts Bob\n"
    )
    found = failures(text)
    assert list(found) == [5, 6, 8, 9, 10, 11]
    assert found[5][0] == "an email to Ann with “sold Tuscumbia”"
    assert found[5][1].startswith(
        "an email to Ann lacks “sold Tuscumbia”:\n| Subject: Re: [dixie7]"
    )
    assert found[6][1].startswith("no email to Eve; these emails:\nto Ann: Re: [dixie7]")
    assert found[8][0] == "no email to anybody else" and "to Ann: Re: [dixie7]" in found[8][1]
    assert "to Bob: [dixie7] YOUR TURN" in found[9][1] and "to Ann" not in found[9][1]
    assert found[10][1] == "Ann cash is 580, not 600"
    assert found[11][1].startswith("outbox has ")


def test_each_letter_counts_for_one_expectation():
    found = failures(f"{GAME}Ann replies\n  buy TR\n> Bob: YOUR TURN\n> Bob: YOUR TURN\n")
    assert list(found) == [6]


@pytest.mark.long
def test_words_stand_in_their_order_with_gaps_where_it_says_so():
    after = f"{GAME}Ann replies\n  buy TR\n"
    assert not failures(f"{after}> Bob: YOUR TURN ... Ann ... TR\n")
    assert failures(f"{after}> Bob: TR ... YOUR TURN: buy\n")
    assert failures(f"{after}> Bob: YOUR TURN Ann TR\n")
    assert failures(f"{after}> Bob: YOUR TURN\n  without: LEGAL NOW\n")


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("= dixie8: Ann 580", "no game dixie8 has begun; games: dixie7"),
        ("= Dan 580", "Dan is not a player or company, nor one of acts"),
        ("= Ann happiness 3", "of Ann one can say cash, worth"),
        ("= outbox sent", "write a status and a number, as = outbox new 0"),
        ("at 2020-01-01 09:00", "2020-01-01 09:00:00 UTC is over: it is 2026-01-05 09:00:00 UTC"),
        ("Eve writes to dixie7\n  status", "Eve has no seat in dixie7; seated: Ann, Bob, Cat"),
        ("Eve writes to dixie8\n  status", "there is no game dixie8 yet"),
        ("play dixie7\n  Ann: buy NDY", "Only the cheapest private company can be bought"),
        ("play dixie7 from recorded:18GA", "the script is of a whole game, 18GA"),
    ],
)
def test_what_cannot_be_is_no_failed_expectation_but_an_error_of_the_scenario(line, told):
    with pytest.raises(ScenarioError) as wrong:
        played(f"{GAME}{line}\n")
    assert told in wrong.value.text
    assert wrong.value.place.line == (4 if line.startswith("play dixie7\n") else 3)


def test_a_reply_to_nothing_is_told_and_the_rest_goes_on():
    found = failures(f'{GAME}Eve replies\n  yes\nAnn replies to "GAME OVER"\n  pass\n= acts Bob\n')
    assert found[3] == ("an email to Eve, to reply to", "no email yet")
    assert "with “GAME OVER” in its subject" in found[5][0] and "YOUR TURN" in found[5][1]
    assert 7 in found


def test_who_has_two_addresses_reads_both_and_answers_from_where_a_letter_came():
    senders = []

    def told(kind, at, who, raw):
        if kind == "in":
            senders.append(str(message_from_bytes(raw)["From"]))

    text = (
        "people: Ann <ann@home.test> <ann@work.test>, Bob, Cat\n"
        "game 18AL dixie7: Ann, Bob, Cat\nAnn writes to dixie7\n  address add ann@work.test\n"
        'Ann replies to "Is this your address"\n  yes\n> Ann: ann@work.test\n'
    )
    assert not played(text, told).failed
    assert senders[-2:] == ["Ann <ann@home.test>", "Ann <ann@work.test>"]


def test_the_lines_of_a_seat_are_written_by_who_has_it(monkeypatch):
    writers = []

    def told(kind, at, who, raw):
        if kind == "in":
            writers.append(who)

    text = (
        f"{GAME}Ann writes to dixie7\n  replace Cat by eve@players.example because Cat is ill\n"
        'Eve replies to "A seat is free"\n  yes\n> Eve: BRIEFING\n'
        "play dixie7\n  Ann: buy TR\n  Bob: buy S&NA\n  Cat: buy B&SLC\n= private B&SLC Cat\n"
    )
    assert not played(text, told).failed
    assert writers[-3:] == ["Ann", "Bob", "Eve"]


def test_a_stretch_that_cannot_go_on_is_left_and_told():
    text = f"{GAME}play dixie7\n  Ann: buy TR\n  Bob: buy S&NA\n  ! too late\n  Bob: bid NDY 125\n"
    with pytest.raises(ScenarioError):
        played(f"{GAME}play dixie7\n  Bob: buy S&NA\n")
    found = failures(text)
    assert list(found) == [5]
    assert found[5][0] == "refused: Bob: buy S&NA"
    assert found[5][1].startswith("it was done")


def test_a_refusal_in_a_stretch_must_name_its_words_and_rule():
    refused = f"{GAME}play dixie7\n  Ann: buy NDY\n  ! Only the cheapest private "
    assert not failures(f"{refused}(18AL 3.1(a))\n")
    assert failures(f"{refused}(18AL 3.1(b))\n")


def test_a_mail_put_aside_is_a_failure_unless_it_is_expected(monkeypatch):
    def broken(self):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(TurnEmail, "effect", broken)
    text = f"{GAME}Ann replies\n  buy TR\n> operator: a fault of ours\n"
    [(expected, came)] = failures(text).values()
    assert expected.startswith("no email that failed") and "RuntimeError: a fault of ours" in came
    assert not failures(f"{text}= inbox shunted 1\n")


# jobs and time


def test_jobs_added_to_the_timetable_are_done_at_their_times(monkeypatch):
    times = []

    def timetable(office, every):
        async def remind():
            times.append(office.clock())
            return False

        return (*real.timetable(office, every), real.Job("extra", 3600, remind))

    monkeypatch.setattr(world, "timetable", timetable)
    played(f"begin: 2026-08-03 09:00 UTC\n{PEOPLE}after 3h 30m\nfault: clock back 2h\nafter 1h\n")
    nine = 1_785_747_600
    assert times == [nine + 3600, nine + 7200, nine + 10_800, nine + 4 * 3600 - 7200]


def test_what_a_job_writes_is_sent_at_once_though_nobody_wrote():
    tried = []

    def told(kind, at, who, raw):
        if kind == "out":
            tried.append(at)

    text = f"begin: 2026-08-03 09:00 UTC\n{PEOPLE}fault: smtp down for 2m\nEve writes\n  games\n"
    assert not played(
        f"{text}after 59s\n> nobody\nafter 1h\n> Eve: There are none yet\n", told
    ).failed
    # trouble of the server is no letter's: it goes out soon after the two minutes
    assert 120 <= tried[0] - 1_785_747_600 <= 130


def test_a_failing_job_is_told(monkeypatch):
    def timetable(office, every):
        async def broken():
            raise RuntimeError("not today")

        return (*real.timetable(office, every), real.Job("odd", 3600, broken))

    monkeypatch.setattr(world, "timetable", timetable)
    [(_, came)] = failures(f"{PEOPLE}after 1h\n").values()
    assert came == "the job odd failed: RuntimeError: not today"


def test_a_job_that_cannot_do_what_waits_is_asked_within_a_minute(monkeypatch):
    times = []

    def timetable(office, every):
        async def stuck():
            times.append(office.clock())
            return False

        return (*real.timetable(office, every), real.Job("stuck", 5, stuck, lambda: 0))

    monkeypatch.setattr(world, "timetable", timetable)
    played(f"{PEOPLE}after 1h\n")
    pauses = [b - a for a, b in pairwise(times)]
    assert pauses[:5] == [10, 20, 40, 60, 60] and max(pauses) == 60


def test_a_month_of_nothing_takes_no_time():
    report = played(f"{GAME}after 30 days\nAnn replies\n  buy TR\n> Bob: YOUR TURN\n")
    assert not report.failed
    assert report.passed == 30 * 86_400


# crashes


@pytest.mark.long
def test_crashes_in_turn_find_a_mail_that_is_lost(monkeypatch):
    """A program that settles a mail before it stores what it brought about."""

    def hasty(store, now, cause, conclusion):
        with store.transaction() as tx:
            tx.mails.finish(cause.mail, "done")
        settle = Mails.finish
        Mails.finish = lambda *args: None
        try:
            return finish(store, now, cause, conclusion)
        finally:
            Mails.finish = settle

    text = f"{GAME}fault: crash after every mails.finish\nAnn replies\n  buy TR\nafter 1h\n> Bob: YOUR TURN\n"
    assert not played(text).failed
    monkeypatch.setattr(moderator, "finish", hasty)
    report = played(text)
    assert report.performances > 1
    assert {v.when for v in report.failed} == {"crash 2 of 2"}, "the first is rolled back"


def test_a_crash_happens_where_it_is_said_and_the_service_starts_again():
    notes = []

    def told(kind, at, who, raw):
        if kind == "note":
            notes.append(who)

    text = (
        f"{GAME}fault: crash before letters.queue 2\n"
        "Ann replies\n  buy TR\n> Bob: YOUR TURN\n> Ann: Ann bought\n"
        "Bob replies\n  pass\n> nobody\nafter 10m\n"
    )
    report = played(f"{text}> Cat: YOUR TURN\n> Bob: Bob passed\n> nobody else\n", told)
    assert not report.failed
    assert notes == ["the service ends before letters.queue and is started again"]


# the command


def run(*words):
    done = CliRunner().invoke(program(), ["rehearse", *map(str, words)])
    configure("error")  # the command's own standard error is closed by now
    return done


@pytest.fixture
def scenario(tmp_path):
    file = tmp_path / "x.rehearsal"
    file.write_text(f"title: strangers\n{PEOPLE}Eve writes\n  games\n> Eve: There are none yet\n")
    return file


def test_every_mail_is_printed_in_order(scenario):
    done = run(scenario)
    assert done.exit_code == 0, done.output
    assert done.output.index("Eve → moderator") < done.output.index("moderator → Eve")
    assert "strangers: 1 expectation held; 1 email in, 1 out" in done.output


def test_mails_are_written_as_files_that_mail_programs_read(scenario, tmp_path):
    assert run(scenario, "--mails", tmp_path / "mails").exit_code == 0
    files = sorted((tmp_path / "mails").iterdir())
    assert [f.name for f in files] == ["0001-in-from-Eve.eml", "0002-out-to-Eve.eml"]
    mails = [message_from_bytes(f.read_bytes(), policy=policy.default) for f in files]
    assert mails[1]["In-Reply-To"] == mails[0]["Message-ID"]
    assert mails[1].get_body(("plain",))
    assert mails[1].get_body(("html",)) is None, "a stranger gets words alone"


def test_the_summary_is_json_and_the_exit_code_tells(scenario):
    scenario.write_text(scenario.read_text() + "> Bob: hello\n")
    done = run(scenario, "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 1
    assert (found["held"], found["expectations"], found["mails"]) == (False, 2, 1)
    [failed] = found["failed"]
    assert (failed["file"], failed["line"]) == (str(scenario), 6)
    assert failed["came"].startswith("no email to Bob")


def test_a_scenario_that_cannot_be_read_ends_with_2(scenario, tmp_path):
    scenario.write_text("Ann writes\n  pass\n")
    done = run(scenario)
    assert done.exit_code == 2
    assert f"{scenario}:1: nobody is called Ann" in " ".join(done.stderr.split())
    assert run(tmp_path / "gone.rehearsal").exit_code == 2
    assert run(tmp_path).exit_code == 2
