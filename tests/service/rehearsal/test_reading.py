"""Scenarios that cannot be read say where, what is wrong, and what would do."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from service.workshop.rehearsal import ScenarioError, steps
from service.workshop.rehearsal.reading import read
from service.workshop.rehearsal.times import WrongTime, duration, when

HEAD = "people: Ann, Bob, Cat\n"


def seconds(text, zone=UTC):
    return int(datetime.fromisoformat(text).replace(tzinfo=zone).timestamp())


def read_here(text, folder=Path("here")):
    return read(text, folder / "x.rehearsal")


WRONG = [
    ("Ann write\n  pass", 2, "not understood: Ann write; write “Ann writes”"),
    ("Anne writes\n  pass", 2, "nobody is called Anne; did you mean Ann?"),
    ("Ann writes", 2, "the mail is empty: write its lines below, further in"),
    ("Ann replies", 2, "the mail is empty"),
    ("title:", 2, "title: says nothing"),
    ("after soon", 2, "soon is not a duration: write 45s, 10m, 2h, 3 days, 1h 30m"),
    ("after 2h\n  pass", 3, "write nothing below “after 2h”"),
    ("at 25:00", 2, "25:00 is not a moment: hour must be in 0..23"),
    ("at noon", 2, "noon is not a moment: write 2026-08-03 09:00"),
    ("at 2026-02-30 09:00", 2, "2026-02-30 09:00 is not a moment: day is out of range"),
    (
        "at 2026-08-03 09:00 Europe/Berlim",
        2,
        "Europe/Berlim is not a time zone; did you mean Europe",
    ),
    ("begin: 09:00", 2, "the beginning needs its day"),
    ("after 1h\ndaemons: 2", 3, "write daemons: before the first step"),
    ("weather: rain", 2, "the weather is fair or storm, not rain"),
    ("storm: dog eats smtp", 2, "no such fault: dog eats smtp"),
    ("storm: smtp up\n  now", 3, "write nothing below “storm: smtp up”"),
    ("daemons: many", 2, "1 to 9 daemons can share the work, not many"),
    ("people: Ann", 2, "Ann has been introduced already"),
    ("people: 12", 2, "12 is nobody: write Ann, or Ann <ann@home.example>"),
    ("settings: jobs.sent 5", 2, "there is no setting jobs.sent; did you mean jobs.send?"),
    ("settings: jobs.send soon", 2, "jobs.send: Input should be a valid integer"),
    ("settings: smtp.host mx.example", 2, "smtp.host is the rehearsal's own and cannot be set"),
    ("game 18XY dixie7: Ann, Bob, Cat", 2, "18XY"),
    ("game 18AL dixie7: Ann, Bob", 2, "18AL is for 3 to 5 different players"),
    ("game 18AL dixie7: Ann, Bob, Dan", 2, "nobody is called Dan"),
    ("play dixie7", 2, "write the lines of a game below, indented, or “from FILE.game”"),
    ("play dixie7 from gone.game", 2, "gone.game cannot be read"),
    ("play dixie7 from recorded:18XX", 2, "no recorded game 18xx; there are 18al"),
    ("play dixie7\n  Ann: buy TR\n  Dan: pass", 4, "a line begins with a player and a colon"),
    ("mail gone.eml", 2, "there is no file"),
    ("include gone.rehearsal", 2, "cannot be read"),
    ("every day at 07:00\n  Ann writes\n    status", 2, "not understood"),
    ("every 2h, 3 times", 2, "write the steps to repeat below, indented"),
    ("every 2h, 3 times\n  Ann writs", 3, "not understood: Ann writs"),
    ("fault: dog eats smtp", 2, "no such fault: dog eats smtp; there are “smtp down for 3h”"),
    ("fault: smtp refuses Cat: 250 fine", 2, "a server's answer begins with 4xx or 5xx"),
    ("fault: smtp refuses Dan", 2, "nobody is called Dan"),
    ("fault: crash after comit", 2, "the service has no point comit; did you mean commit?"),
    ("fault: crash after every commit 3", 2, "“every” needs no number"),
    ("fault: crash after every commit\nfault: crash after every send", 3, "tried in turn at one"),
    ("service: sleep", 2, "the service can stop, start, restart, not sleep"),
    ("> Ann: hello", 2, "nothing has happened yet that could cause an email"),
    ("after 1h\n> Dan: hello", 3, "nobody is called Dan"),
    ("after 1h\n> ", 3, "> says nothing"),
    ("after 1h\n> nobody\n> Ann: hello", 4, "an email to Ann cannot come: line 3 says so"),
    ("after 1h\n> Ann: hello\n> nobody", 4, "line 3 expects an email to Ann"),
    ("after 1h\n> nobody else\n> Ann: hello", 4, "an email to Ann cannot come: line 3"),
    ("after 1h\n> no letter to Ann\n> Ann: hello", 4, "an email to Ann cannot come: line 3"),
    ("after 1h\n> Ann: a\n  without: a", 3, "no email can have “a” and be without it"),
    ("after 1h\n=", 3, "= says nothing"),
    ("  after 1h\nafter 2h", 3, "it stands further out than the lines before it"),
    ("", 1, "nothing happens in this scenario"),
]


@pytest.mark.parametrize(("text", "line", "told"), WRONG, ids=[w[0][:40] for w in WRONG])
def test_what_cannot_be_read_says_its_line_and_what_would_do(text, line, told):
    head = "" if text.startswith("  ") else HEAD
    number = line if head else line - 1
    with pytest.raises(ScenarioError) as wrong:
        read_here(head + text)
    assert told in wrong.value.text
    assert wrong.value.place.line == number
    assert str(wrong.value).startswith(f"here/x.rehearsal:{number}: ")


def test_a_scenario_is_read_with_all_its_parts(tmp_path):
    (tmp_path / "odd.eml").write_text("Subject: odd\n\n")
    (tmp_path / "more.rehearsal").write_text("people: Dan <dan@home.example>\nafter 1 day\n")
    scenario = read(
        """title: dixie in August            # a comment
begin: 2026-08-03 09:00 Europe/Berlin
people: Ann, Bob <bob@work.example>
settings: play.identity friendly, jobs.fetch 30

include more.rehearsal
Bob <bob@phone.example> writes, subject "trains #7"
  buy 2   # no comment in a mail

  pass
Ann replies to 2nd "YOUR TURN"
  pass
mail odd.eml to Ann in dixie7
every day at 07:00, 2 times
  Ann writes to dixie7
    status
  > Ann: status
at 18:00
fault: smtp refuses Bob: 450 later
fault: crash before letters.queue 2
> Ann, Dan: YOUR TURN ... Bob
  "LEGAL NOW"
  without: nothing
= dixie7: Ann 580, acts Bob
""",
        tmp_path / "x.rehearsal",
    )
    assert scenario.title == "dixie in August"
    assert scenario.begin == seconds("2026-08-03 07:00")
    assert scenario.people["Ann"] == "ann@players.example"
    assert scenario.people["Dan"] == "dan@home.example"
    assert (scenario.settings.play.identity, scenario.settings.jobs.fetch) == ("friendly", 30)
    wait, write, reply, raw, every, until, refuse, crash, expect, claim = scenario.steps
    assert wait.seconds == 86_400 and wait.place.file.name == "more.rehearsal"
    assert (write.sender, write.subject) == ("bob@phone.example", "trains #7")
    assert write.text == ("buy 2   # no comment in a mail", "", "pass")
    assert (reply.words, reply.number) == ("YOUR TURN", 2)
    assert (raw.seat, raw.game) == ("Ann", "dixie7")
    assert every.times == 2 and [type(s) for s in every.steps] == [steps.Write, steps.Expect]
    assert until.when.after(scenario.begin) == seconds("2026-08-03 16:00"), "by the head's zone"
    assert (refuse.address, refuse.answer, refuse.late) == ("bob@work.example", "450 later", False)
    assert (crash.when, crash.point, crash.number) == ("before", "letters.queue", 2)
    assert expect.names == ("Ann", "Dan") and expect.without == ("nothing",)
    assert expect.words == ("YOUR TURN ... Bob", '"LEGAL NOW"')
    assert (claim.game, claim.text) == ("dixie7", "Ann 580, acts Bob")


def test_a_fault_for_a_storm_is_none_in_fair_weather():
    text = f"{HEAD}after 1h\nstorm: smtp down\n"
    assert len(read_here(text).steps) == 1
    assert [type(one) for one in read_here(f"weather: storm\n{text}").steps] == [
        steps.Wait,
        steps.Down,
    ]


def test_the_environment_s_settings_are_not_the_scenario_s(monkeypatch):
    monkeypatch.setenv("WAYBILL_JOBS__SEND", "77")
    assert read_here(f"{HEAD}after 1h").settings.jobs.send == 5


def test_a_file_that_includes_itself_is_refused(tmp_path):
    file = tmp_path / "x.rehearsal"
    file.write_text("include x.rehearsal\n")
    with pytest.raises(ScenarioError, match="includes itself"):
        read(file.read_text(), file)


def test_the_secret_seats_the_players_of_all_games_as_written():
    text = f"{HEAD}game 18AL one: Cat, Ann, Bob\ngame 18GA two: Bob, Cat, Ann\n"
    first, again = read_here(text), read_here(text)
    assert first.settings.mail.secret == again.settings.mail.secret


@pytest.mark.parametrize(
    ("text", "found"),
    [("45s", 45), ("10m", 600), ("1h 30m", 5400), ("1h30m", 5400), ("3 days", 259_200),
     ("2 weeks, 1 day", 1_296_000)],
)  # fmt: skip
def test_durations(text, found):
    assert duration(text) == found


@pytest.mark.parametrize("text", ["", "h", "2", "2 x", "-2h", "1.5h"])
def test_what_is_no_duration(text):
    with pytest.raises(WrongTime, match="is not a duration"):
        duration(text)


def test_an_hour_that_comes_twice_is_the_first_and_an_offset_names_the_other():
    first = when("2026-10-25 02:30 Europe/Berlin").after(0)
    assert first == seconds("2026-10-25 00:30")
    assert when("2026-10-25 02:30 +01:00").after(0) == first + 3600


def test_an_hour_that_is_left_out_is_no_time():
    with pytest.raises(WrongTime, match=r"2026-03-29 02:30 is left out .* an hour later"):
        when("2026-03-29 02:30 Europe/Berlin").after(0)


def test_an_hour_without_a_day_is_the_next_one():
    berlin = ZoneInfo("Europe/Berlin")
    seven = when("07:00", berlin)
    evening = seconds("2026-10-24 20:00", berlin)
    assert seven.after(evening) == seconds("2026-10-25 07:00", berlin)
    assert seven.after(evening) - evening == 12 * 3600, "clocks are put back in that night"
    assert seven.after(seven.after(evening)) == seconds("2026-10-26 07:00", berlin)
