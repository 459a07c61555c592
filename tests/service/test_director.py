"""The director's desk by mail: each act, who may not, what is told, and what cannot be."""

import re
from datetime import UTC, datetime

import msgspec
import pytest

from service.clocks.accounts import Account
from service.desk.timing import silence
from service.games import stored
from service.games.games import asks
from service.mail.identity import read_address
from service.store import Conflict
from tests.service.house import ADDRESS, GAME, NAMES, Kept, address, flat, one, to

ORGANISER = "olga@players.test"
EVE = "eve@players.test"


@pytest.fixture(scope="session")
def directed_game(tmp_path_factory):
    """A game that has begun, whose organiser does not play; two have bought."""

    def play(made):
        made.reply(made.gather(organiser=ORGANISER), "start")
        made.write("Ann", "buy TR")
        made.write("Bob", "buy S&NA")

    return Kept.after(tmp_path_factory.mktemp("directed") / "begun.sqlite", play)


@pytest.fixture
def directed(directed_game, tmp_path):
    """Ann has bought the TR, Bob the S&NA, and Cat is to act at #2; Olga directs."""
    with directed_game.copy(tmp_path) as found:
        yield found


def direct(players, *lines, **how):
    """The organiser writes to the organiser's address; the letters that follow."""
    to_ = players.seat_address(GAME, "organiser")
    return players.send(players.mail(ORGANISER, to_, *lines, **how))


def letter(letters, who, kind=None):
    """The only letter to an address, of a kind."""
    [found] = [one for one in letters if one.to == who and kind in (None, one.kind)]
    return found


def answer(letters, who=ORGANISER):
    return letter(letters, who, "receipt")


def rulings(players):
    return [(r.kind, r.by, r.text, r.struck) for r in players.table().rulings]


# hold and resume


def test_a_held_game_takes_no_move_and_nothing_is_lost(directed):
    letters = direct(directed, "hold because the order of play is in doubt")
    assert "done" in answer(letters).subject
    for name in NAMES:
        told = flat(one(letters, name, "ruling"))
        assert "The director (the organiser) holds the game, because the order of play is" in told
    letters = directed.write("Cat", "buy B&SLC")
    receipt = one(letters, "Cat")
    assert "NOT DONE" in receipt.subject
    assert "is held by its director since" in flat(receipt)
    assert "because the order of play is in doubt" in flat(receipt)
    assert directed.state.number == 2
    for words in ("resume", "resume game", "resume because", "resume because …"):
        receipt = flat(answer(direct(directed, words)))
        assert "NOT DONE" in receipt
        assert "Say why: it is told to all, and kept. As in `resume because the order" in receipt
        assert directed.table().held
    letters = direct(directed, "resume because the order of play is clear")
    told = "The director (the organiser) lets the game go on, because the order of play is clear."
    assert told in flat(one(letters, "Cat", "ruling"))
    directed.write("Cat", "buy B&SLC")
    assert directed.state.number == 3
    assert [kind for kind, *_ in rulings(directed)] == ["hold", "resume"]


@pytest.mark.long
def test_what_a_held_game_refuses(directed):
    direct(directed, "hold because x")
    assert "is held" in flat(one(directed.write("Bob", "undo"), "Bob"))
    assert "is held" in flat(one(directed.write("Bob", "propose end"), "Bob"))
    assert "is held" in flat(one(directed.write("Cat", "buy B&SLC", "say: hm"), "Cat"))
    assert "is held" in flat(one(directed.write("Cat", "status"), "Cat"))
    assert "is held by" in flat(answer(direct(directed, "hold because y")))
    direct(directed, "resume because y")
    assert "is not held" in flat(answer(direct(directed, "resume because y")))


@pytest.mark.long
@pytest.mark.parametrize("meanwhile", [(), ("correct cash Ann +5 because of a slip",)])
def test_what_follows_a_flag_waits_while_a_game_is_held(directed, meanwhile):
    """Held between the end of a player's time and what that brings about, put right or not."""
    table = directed.table()
    chosen = msgspec.structs.replace(table.settings, caretaker=True, clock="each 48h")
    decision, _ = asks(table.title, table.state)
    with directed.store.transaction() as tx:
        tx.set_settings(table.row.id, msgspec.json.encode(chosen))
        asked = Account("Cat", 0, decision=decision, asked=1, flagged=True, misses=1)
        tx.set_clock(table.row.id, asked)
        silence.plan(tx, table, "Cat", 1, directed.now)
    letters = direct(directed, "hold because the price is in doubt")
    assert directed.texts() == ["buy TR", "buy S&NA"]
    assert not [one for one in letters if "Your time was over" in flat(one)]
    for line in meanwhile:
        direct(directed, line)
        assert "DONE" in flat(answer(direct(directed, "go")))
    directed.now += 30 * 86_400
    assert directed.work() == []
    letters = direct(directed, "resume because y")
    assert directed.texts()[-1] == "pass"
    [told] = [one for one in letters if "Your time was over once" in flat(one)]
    assert told.to == address("Cat")
    assert "The caretaker has done for you" in flat(told)
    directed.now += 30 * 86_400
    again = [one for one in directed.work() if "Your time was over once" in flat(one)]
    assert [one.to for one in again if one.to == address("Cat")] == []


def test_orders_wait_while_a_game_is_held_and_act_when_it_goes_on(directed):
    direct(directed, "hold because x")
    directed.write("Cat", "next: buy B&SLC")
    assert directed.state.number == 2
    direct(directed, "resume because y")
    assert directed.state.number > 2
    assert directed.texts()[2].startswith("buy")


@pytest.mark.long
def test_a_hold_is_a_span_that_clocks_do_not_count(directed):
    direct(directed, "hold because x")
    directed.now += 7200
    direct(directed, "resume because y")
    with directed.store.transaction() as tx:
        [span] = tx.uncounted_spans(directed.table().row.id)
    assert (span.kind, span.seat, span.ends - span.begins) == ("hold", "", 7200)


@pytest.mark.long
def test_votes_have_as_long_as_before_once_the_game_goes_on(directed):
    directed.write("Ann", "propose end")
    due = directed.table().votes[0].due
    direct(directed, "hold because x")
    directed.now = due + 100
    assert directed.work() == []
    assert directed.table().votes[0].status == "open"
    direct(directed, "resume because y")
    vote = directed.table().votes[0]
    assert vote.status == "open"
    assert vote.due > directed.now
    directed.now = vote.due + 1
    directed.work()
    assert directed.table().votes[0].status == "failed"


# in a player's place


def test_as_a_player_is_the_same_change_by_the_same_judge(directed):
    letters = direct(directed, "as Cat: buy B&SLC because of an illness")
    assert directed.texts()[-1] == "buy B&SLC"
    told = "The director (the organiser) acts for Cat: buy B&SLC, because of an illness."
    assert told in flat(one(letters, "Cat", "void")), "whose turn it was has the copy"
    assert told in flat(one(letters, "Ann", "turn")), "who must act next has it in the turn mail"
    assert told in flat(one(letters, "Bob", "news"))
    assert "done" in answer(letters).subject
    letters = direct(directed, "as Ann: buy B&SLC because x")
    refused = answer(letters)
    assert "NOT DONE" in refused.subject
    assert directed.state.number == 3
    assert [one.to for one in letters] == [ORGANISER]


@pytest.mark.long
def test_a_player_cannot_take_back_what_was_done_in_their_place(directed):
    direct(directed, "as Cat: buy B&SLC because of an illness")
    letters = directed.write("Cat", "undo")
    assert "came with no mail of yours" in flat(one(letters, "Cat"))
    assert directed.state.number == 3


@pytest.mark.long
def test_as_a_player_means_the_decision_that_its_writer_knew_of(directed):
    directed.write("Cat", "buy B&SLC")
    to_ = directed.seat_address(GAME, "organiser")
    late = directed.mail(ORGANISER, to_, "as Cat: pass because x", subject=f"Re: [{GAME}] #1")
    told = flat(answer(directed.send(late)))
    assert "Your mail answers position #1; the game is at #3." in told
    assert "Write it again if you mean it now." in told
    assert directed.state.number == 3


def test_as_by_somebody_who_is_not_the_director_is_refused(directed):
    letters = directed.write("Bob", "as Cat: buy B&SLC because of the hour")
    assert "NOT DONE" in one(letters, "Bob").subject
    assert f"Only the director of {GAME} may do that" in flat(one(letters, "Bob"))
    assert [one.to for one in letters] == [address("Bob")], "nobody else is told"
    assert directed.state.number == 2
    assert rulings(directed) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    ["correct cash Bob +20 because x", "rollback 0 because x", "redo because x", "rule 1: mine",
     "announce: hear me", "hold because x", "resume because x", "assistant eve@players.test",
     "hold on dispute", "end game because x", "abandon because x"],
)  # fmt: skip
def test_no_player_directs(directed, words):
    letters = directed.write("Bob", words)
    assert "Only the director" in flat(one(letters, "Bob"))
    assert directed.state.number == 2
    assert rulings(directed) == []


@pytest.mark.long
def test_commands_in_lines_below_belong_to_the_player(directed):
    direct(directed, "as Cat:", "buy B&SLC", "because of an illness")
    assert directed.texts()[-1] == "buy B&SLC"


def test_what_is_no_command_of_the_game_is_not_done_for_a_player(directed):
    letters = direct(directed, "as Cat: say: hello because x")
    assert "is no command of the game" in flat(answer(letters))
    letters = direct(directed, "as Zoe: pass because x")
    assert "“Zoe” does not play here. There are Ann, Bob and Cat." in flat(answer(letters))


# corrections


@pytest.mark.long
def test_a_correction_is_shown_first_and_done_by_go(directed):
    letters = direct(directed, "correct cash Ann +20 because her change was miscounted")
    [shown] = letters
    assert shown.subject.endswith("to be confirmed")
    assert "Ann gets $20 from the bank" in flat(shown)
    assert directed.state.number == 2
    letters = directed.reply(shown, "go")
    assert directed.state.cash["Ann"] == 600
    told = "puts right: cash Ann +20, because her change was miscounted."
    for name in NAMES:
        assert any(told in flat(one) for one in letters if one.to == address(name)), name
    assert "done" in answer(letters).subject
    [*_, last] = directed.table().rulings
    assert (last.kind, last.text, last.struck) == ("correct", "correct cash Ann +20", False)
    again = directed.reply(shown, "go")
    assert "Nothing waits for your `go`" in flat(answer(again))
    assert directed.state.cash["Ann"] == 600


@pytest.mark.long
def test_go_means_nothing_once_the_game_has_gone_on(directed):
    [shown] = direct(directed, "correct cash Ann +20 because x")
    directed.write("Cat", "buy B&SLC")
    assert "Nothing waits" in flat(answer(directed.reply(shown, "go")))
    assert directed.state.cash["Ann"] == 580


def test_a_correction_that_breaks_an_invariant_is_refused_with_which(directed):
    letters = direct(directed, "correct cash Ann -9000 because x")
    assert "Ann has $580, not $9000" in flat(answer(letters))
    letters = direct(directed, "correct cash bank +20 because x")
    assert "all money together is always the same" in flat(answer(letters))
    letters = direct(directed, "correct fortune Ann +20 because x")
    assert "cannot be put right" in flat(answer(letters))
    assert directed.state.number == 2
    assert rulings(directed) == []


@pytest.mark.long
def test_a_correction_is_stored_as_an_action_and_taken_back_like_one(directed):
    [shown] = direct(directed, "correct cash Ann +20 because x")
    directed.reply(shown, "go")
    with directed.store.transaction() as tx:
        row = tx.head(directed.table().row.id)
    assert (row.seat, row.text) == ("", "correct cash Ann +20")
    assert stored.action(row).because == "x"
    direct(directed, "rollback 2 because it was right before")
    assert directed.state.cash["Ann"] == 580
    assert [(kind, struck) for kind, _, _, struck in rulings(directed)] == [
        ("correct", True),
        ("rollback", False),
    ]


# the way back


@pytest.mark.long
def test_a_rollback_strikes_out_and_redo_brings_back(directed):
    letters = direct(directed, "rollback 0 because the seats were wrong")
    assert directed.state.number == 0
    lost = "#1 Ann buy TR; #2 Bob buy S&NA."
    assert f"The director has taken back: {lost}" in flat(one(letters, "Ann", "turn"))
    assert "because the seats were wrong" in flat(one(letters, "Ann", "turn"))
    assert f"Struck out: {lost}" in flat(answer(letters))
    assert "void" in to(letters, "Cat")
    history = flat(one(directed.write("Bob", "history"), "Bob"))
    assert "rollback 0, because the seats were wrong. Struck out: #1 Ann buy TR" in history
    letters = direct(directed, "redo because they were right")
    assert directed.state.number == 2
    assert directed.texts() == ["buy TR", "buy S&NA"]
    assert f"The director has brought back: {lost}" in flat(one(letters, "Cat", "turn"))
    directed.write("Cat", "buy B&SLC")
    assert "no rollback led to" in flat(answer(direct(directed, "redo because x")))


def test_redo_after_a_correction_brings_that_back_too(directed):
    [shown] = direct(directed, "correct cash Ann +20 because x")
    directed.reply(shown, "go")
    direct(directed, "rollback 1 because x")
    direct(directed, "redo because x")
    assert directed.state.cash["Ann"] == 600
    assert [(kind, struck) for kind, _, _, struck in rulings(directed)] == [
        ("correct", False),
        ("rollback", False),
        ("redo", False),
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("rollback 7 because x", "The game is at #2; a rollback goes back"),
        ("rollback soon because x", "by its number"),
        ("redo because x", "There is nothing to bring back"),
        ("rule 9: no", "Name the act by its number"),
        ("rollback 0", "Say why"),
        ("correct cash Ann +20", "Say why"),
        ("as Cat: pass", "Say why"),
        ("hold", "Say why"),
        ("announce:", "Say why"),
    ],
)
def test_what_the_director_cannot_do(directed, words, why):
    letters = direct(directed, words)
    assert "NOT DONE" in answer(letters).subject
    assert why in flat(answer(letters))
    assert directed.state.number == 2
    assert rulings(directed) == []


@pytest.mark.long
def test_acts_of_one_mail_are_all_done_or_none(directed):
    letters = direct(directed, "announce: two things", "rollback 99 because x")
    assert "NOT DONE" in answer(letters).subject
    assert rulings(directed) == []
    letters = direct(directed, "rollback 1 because x", "redo because x")
    assert "send it by itself" in flat(answer(letters))
    direct(directed, "announce: two things", "hold because it is late")
    assert [kind for kind, *_ in rulings(directed)] == ["announce", "hold"]


# words


def test_a_ruling_and_an_announcement_go_to_all_and_stay(directed):
    letters = direct(directed, "rule 2: the purchase stands", "announce: no moves over Easter")
    for name in NAMES:
        told = flat(one(letters, name, "ruling"))
        assert "rules on #2 Bob buy S&NA: the purchase stands" in told
        assert "announces: no moves over Easter" in told
    history = flat(one(directed.write("Ann", "history"), "Ann"))
    assert "rule 2: the purchase stands" in history
    assert "announce: no moves over Easter" in history


@pytest.mark.long
def test_a_dispute_tells_the_director_and_the_table(directed):
    letters = directed.write("Ann", "dispute 2: Bob had not the money")
    told = "Ann disputes #2 Bob buy S&NA: Bob had not the money"
    assert told in flat(letter(letters, ORGANISER))
    assert "rule 2: …" in letter(letters, ORGANISER).text
    assert told in flat(one(letters, "Bob", "ruling"))
    assert told in flat(one(letters, "Cat", "ruling"))
    assert "done" in one(letters, "Ann").subject
    assert directed.table().held == ""
    letters = directed.write("Ann", "dispute 77: hm")
    assert "Name the act by its number" in flat(one(letters, "Ann"))


@pytest.mark.long
def test_a_dispute_holds_the_game_where_that_is_set(directed):
    direct(directed, "hold on dispute")
    letters = directed.write("Ann", "dispute 2: Bob had not the money")
    assert "The game is held until the director has ruled." in flat(one(letters, "Bob", "ruling"))
    assert "Ann disputes #2" in flat(one(directed.write("Cat", "pass"), "Cat"))
    direct(directed, "rule 2: there was enough", "resume because all is clear")
    assert directed.table().held == ""


def test_leave_to_take_back_is_asked_of_the_director(directed):
    letters = directed.write("Ann", "ask undo because I took the wrong company")
    asked = letter(letters, ORGANISER)
    assert "Ann asks for leave to go back to #0" in flat(asked)
    assert "It would strike out: #1 Ann buy TR; #2 Bob buy S&NA." in flat(asked)
    assert to(letters, "Bob") == []
    directed.reply(asked, "rollback 0 because Ann asked for it")
    assert directed.state.number == 0


@pytest.mark.long
def test_where_it_takes_the_director_s_leave_nobody_votes_on_taking_back(directed):
    direct(directed, "undo leave because it is a match")
    assert directed.table().settings.undo == "leave"
    refused = flat(one(directed.write("Ann", "undo"), "Ann"))
    assert "`ask undo because …` asks for the director's leave" in refused
    letters = directed.write("Ann", "propose undo to 0")
    assert "by the director's leave alone: `ask undo to 0 because …`" in flat(one(letters, "Ann"))
    assert directed.table().votes == () and to(letters, "Bob") == []
    directed.write("Ann", "ask undo to 0 because I took the wrong company")
    direct(directed, "rollback 0 because Ann asked for it")
    assert directed.state.number == 0
    # one's own last mail is one's own to take back
    directed.write("Ann", "pass")
    directed.write("Ann", "undo")
    assert directed.state.number == 0
    direct(directed, "undo vote because all like each other")
    directed.write("Ann", "pass")
    directed.write("Bob", "pass")
    assert "asks" in flat(one(directed.write("Ann", "propose undo to 0"), "Ann"))


# an organiser who plays, and an assistant


def named(players):
    """Ann organises and plays; Eve has become the assistant."""
    organiser = players.seat_address(GAME, "organiser")
    letters = players.send(players.mail(address("Ann"), organiser, f"assistant {EVE}"))
    asked = letter(letters, EVE)
    return players.reply(asked, "yes", sender=EVE)


@pytest.mark.long
def test_an_assistant_is_named_and_says_yes(players):
    players.write("Ann", "buy TR")
    letters = named(players)
    assert players.table().settings.assistant == EVE
    assert f"{EVE} is the assistant of {GAME}" in flat(one(letters, "Bob", "ruling"))
    assert read_address(answer(letters, EVE).reply_to, ADDRESS).seat == "assistant"


def test_who_plays_leaves_the_position_to_the_assistant(players):
    players.write("Ann", "buy TR")
    organiser = players.seat_address(GAME, "organiser")
    mine = lambda *lines: players.send(players.mail(address("Ann"), organiser, *lines))  # noqa: E731
    [shown] = mine("correct cash Bob -20 because x")
    assert "to be confirmed" in shown.subject, "without an assistant who plays may"
    letters = named(players)
    refused = mine("rollback 0 because I want it back")
    told = flat(letter(refused, address("Ann"), "receipt"))
    assert f"You play in {GAME}, so its assistant rules on what concerns the position" in told
    assert players.state.number == 1
    mine("hold because I am away")
    assert players.table().held, "what favours nobody the organiser may"
    players.reply(answer(letters, EVE), "rollback 0 because it was misread", sender=EVE)
    assert players.state.number == 0
    assert rulings(players)[-1][1] == "assistant"


@pytest.mark.long
def test_a_dispute_goes_to_the_assistant_where_the_organiser_plays(players):
    players.write("Ann", "buy TR")
    named(players)
    letters = players.write("Bob", "dispute 1: too cheap")
    assert "rule 1: …" in letter(letters, EVE).text
    assert to(letters, "Ann") == ["ruling"]


@pytest.mark.long
def test_what_comes_to_the_assistant_s_address_from_elsewhere_waits_for_their_yes(players):
    players.write("Ann", "buy TR")
    to_ = answer(named(players), EVE).reply_to
    letters = players.send(players.mail(address("Bob"), to_, "rollback 0 because x"))
    assert players.state.number == 1
    told = letter(letters, EVE, "foreign")
    assert f"A mail from {address('Bob')} came to your address as assistant." in flat(told)
    assert "new token" not in flat(told) and told.mail["Reply-To"] == to_
    assert to(letters, "Bob") == ["away"]
    yes = re.search(r"yes \d{8}", told.text)[0]
    # neither from elsewhere nor with another number
    players.send(players.mail(address("Bob"), to_, yes))
    players.reply(told, "yes 11111111", sender=EVE)
    assert players.state.number == 1
    letters = players.reply(told, yes, sender=EVE)
    assert players.state.number == 0
    assert rulings(players)[-1][1] == "assistant"
    assert "DONE" in flat(letter(letters, EVE, "receipt"))
    players.reply(told, yes, sender=EVE)
    assert [r[0] for r in rulings(players)].count("rollback") == 1, "once"


def test_an_assistant_s_shown_token_is_renewed_and_the_mail_is_done_once(players, monkeypatch):
    from service.desk.director.director_mail import DirectorMail

    players.write("Ann", "buy TR")
    to_ = answer(named(players), EVE).reply_to
    old, real, died = read_address(to_, ADDRESS), DirectorMail.handle, []

    def once(self):
        if not died:
            died.append(1)
            raise Conflict("the power failed after the renewal")
        real(self)

    monkeypatch.setattr(DirectorMail, "handle", once)
    mail = players.mail(EVE, to_, "rollback 0 because x", Cc=f"{address('Bob')}, {EVE}")
    letters = players.send(mail)
    assert players.state.number == 0, "it is done, begun again after a crash too"
    told = [one for one in letters if one.to == EVE]
    assert [one.kind for one in told] == ["renewed", "receipt"], "and renewed once"
    assert address("Bob") in flat(told[0])
    assert "your address as assistant" in flat(told[0]) and "`announce:`" in flat(told[0])
    for received in told:
        new = read_address(received.reply_to, ADDRESS)
        assert (new.seat, new.token == old.token) == ("assistant", False)
    players.reply(told[1], "redo because x", sender=EVE)
    assert players.state.number == 1, "the new one is good"
    players.send(players.mail(EVE, to_, "rollback 0 because x"))
    assert players.state.number == 1, "the one that Bob has seen is void"


@pytest.mark.long
def test_who_is_asked_to_be_the_assistant_may_show_it_to_the_organiser(players):
    organiser = players.seat_address(GAME, "organiser")
    letters = players.send(players.mail(address("Ann"), organiser, f"assistant {EVE}"))
    letters = players.reply(letter(letters, EVE), "yes", sender=EVE, Cc=address("Ann"))
    assert players.table().settings.assistant == EVE
    assert [one.kind for one in letters if one.to == EVE] == ["renewed", "receipt"]


def test_where_signatures_are_asked_for_an_assistant_says_yes_to_what_has_none(players):
    players.write("Ann", "buy TR")
    to_ = answer(named(players), EVE).reply_to
    table = players.table()
    chosen = msgspec.structs.replace(table.settings, grade="tournament")
    with players.store.transaction() as tx:
        tx.set_settings(table.row.id, msgspec.json.encode(chosen))
    [told] = players.send(players.mail(EVE, to_, "rollback 0 because it was misread"))
    assert players.state.number == 1
    assert "asks for the signature of your mail server" in flat(told)
    players.reply(told, re.search(r"yes \d{8}", told.text)[0], sender=EVE)
    assert players.state.number == 0


@pytest.mark.long
def test_who_is_asked_to_be_the_assistant_is_not_written_to_for_others(players):
    organiser = players.seat_address(GAME, "organiser")
    letters = players.send(players.mail(address("Ann"), organiser, f"assistant {EVE}"))
    asked = letter(letters, EVE)
    assert players.send(players.mail(address("Bob"), asked.reply_to, "yes")) == []
    assert players.table().settings.assistant == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("who", "why"),
    [
        (address("Bob"), "Who plays in the game cannot be its assistant"),
        (address("Ann"), "You are the director already"),
        ("nobody", "Write the address"),
    ],
)
def test_who_cannot_be_the_assistant(players, who, why):
    organiser = players.seat_address(GAME, "organiser")
    letters = players.send(players.mail(address("Ann"), organiser, f"assistant {who}"))
    assert why in flat(letter(letters, address("Ann"), "receipt"))


def test_nobody_is_asked_again_and_again_to_be_the_assistant(players):
    organiser = players.seat_address(GAME, "organiser")
    for _ in range(7):
        raw = players.mail(address("Ann"), organiser, f"assistant {EVE}")
        letters = players.send(raw)
    assert [one.to for one in letters] == [address("Ann")]
    assert "Too many emails went to" in flat(letters[0])


@pytest.mark.long
def test_without_an_answer_nobody_is_the_assistant_and_off_ends_it(players):
    organiser = players.seat_address(GAME, "organiser")
    mine = lambda *lines: players.send(players.mail(address("Ann"), organiser, *lines))  # noqa: E731
    letters = mine(f"assistant {EVE}")
    asked = letter(letters, EVE)
    players.reply(asked, "rollback 0 because x", sender=EVE)
    assert players.table().settings.assistant == ""
    mine("assistant off")
    players.reply(asked, "yes", sender=EVE)
    assert players.table().settings.assistant == ""


# the end


@pytest.mark.long
def test_the_director_ends_a_game_or_gives_it_up(directed):
    letters = direct(directed, "end game because nobody wants to go on")
    assert "ended" in to(letters, "Ann")
    assert directed.table().row.status == "ended"
    assert "is over" in flat(answer(direct(directed, "rollback 0 because x")))


def test_an_organiser_who_does_not_play_gets_one_letter_of_the_end(directed):
    directed.write("Ann", "order: when OR 1 then pass", "diary: Bob must not know")
    letters = direct(directed, "end game because nobody wants to go on")
    own = [found for found in letters if found.to == ORGANISER]
    assert [found.kind for found in own] == ["receipt", "ended"]
    told = flat(own[1])
    assert "The game is over: " in told and "The director ended the game." in told
    assert "because nobody wants to go on" in told
    assert "WORTH" in own[1].text.upper() and address("Ann") not in own[1].text


def test_the_offices_hear_of_an_end_that_the_players_have_agreed_on(directed):
    asked = letter(direct(directed, f"assistant {EVE}"), EVE)
    directed.reply(asked, "yes", sender=EVE)
    directed.write("Ann", "propose end")
    directed.write("Bob", "vote 1 yes")
    letters = directed.write("Cat", "vote 1 yes")
    assert [found.kind for found in letters if found.to == ORGANISER] == ["ended"]
    assert [found.kind for found in letters if found.to == EVE] == ["ended"]
    assert to(letters, "Ann") == ["ended"]
    again = direct(directed, "status")
    assert [found.kind for found in again] == ["receipt"], "it is told once"


@pytest.mark.long
def test_an_organiser_who_plays_has_one_letter_of_the_end(players):
    players.write("Ann", "propose end")
    players.write("Bob", "vote 1 yes")
    letters = players.write("Cat", "vote 1 yes")
    assert to(letters, "Ann") == ["ended"]


def test_a_game_that_is_given_up_takes_nothing_more(directed):
    letters = direct(directed, "abandon because two have left")
    assert "Nobody has won it" in flat(one(letters, "Bob", "ruling"))
    assert directed.table().row.status == "abandoned"
    letters = directed.write("Cat", "buy B&SLC")
    assert "NOT DONE" in one(letters, "Cat").subject


@pytest.mark.long
def test_questions_before_acts_are_answered(directed):
    letters = direct(directed, "status", "announce: hello")
    assert "CASH" in answer(letters).text.upper()
    assert [kind for kind, *_ in rulings(directed)] == ["announce"]
    letters = direct(directed, "help director", "announce: x")
    assert "rollback 212" in answer(letters).text


# seats and clocks


@pytest.mark.long
def test_who_is_to_take_a_seat_is_asked_and_the_log_says_why(directed):
    letters = direct(directed, f"replace Cat by {EVE} because nobody can reach Cat")
    assert letter(letters, EVE)
    assert rulings(directed) == [("replace", "organiser", "replace Cat", False)]
    history = flat(one(directed.write("Bob", "history"), "Bob"))
    assert "replace Cat, because nobody can reach Cat" in history


def test_a_replacement_by_a_player_of_the_same_game_is_refused(directed):
    letters = direct(directed, f"replace Cat by {address('Bob')} because x")
    assert "nobody has two seats" in flat(answer(letters))
    assert directed.table().seat("Cat").address == address("Cat")
    assert rulings(directed) == []
    letters = direct(directed, "announce: hello", f"replace Cat by {EVE} because x")
    assert "stands alone" in flat(answer(letters))


@pytest.mark.long
def test_more_time_takes_a_clock(directed):
    letters = direct(directed, "clock Bob +24h because the server was not reached")
    assert f"{GAME} has no clock" in flat(answer(letters))


def timed(players, clock):
    """Let the game have a clock, by which Ann is asked."""
    settings = msgspec.structs.replace(players.table().settings, clock=clock)
    with players.store.transaction() as tx:
        tx.set_settings(players.table().row.id, msgspec.json.encode(settings))
    players.write("Cat", "buy B&SLC")


@pytest.mark.parametrize("word", ["clock", pytest.param("correct clock", marks=pytest.mark.long)])
def test_time_is_shown_before_it_is_given(directed, word):
    timed(directed, "each 48h")
    due = waiting(directed)
    letters = direct(directed, f"{word} Ann +24h because the server was not reached")
    [shown] = letters
    assert "to be confirmed" in shown.subject
    until, instead = (f"{datetime.fromtimestamp(t, UTC):%H:%M}" for t in (due + 86_400, due))
    assert re.search(f"It gives Ann 24 hours more. Ann would have until [^.]* {until} UTC instead "
                     f"of [^.]* {instead} UTC.", flat(shown))  # fmt: skip
    assert waiting(directed) == due and rulings(directed) == []
    letters = direct(directed, "go")
    assert waiting(directed) == due + 24 * 3600
    told = "gives Ann 24 hours more, because the server was not reached. Ann has until "
    assert told in flat(one(letters, "Ann", "ruling"))
    assert rulings(directed) == [("clock", "organiser", "clock Ann +24h", False)]
    assert "Nothing waits for your `go`" in flat(answer(direct(directed, "go")))


@pytest.mark.long
def test_a_bank_is_shown_before_and_after(directed):
    timed(directed, "fischer 5d + 12h cap 5d")
    letters = direct(directed, "announce: hear me", "clock Bob +24h because x")
    assert "It gives Bob 24 hours more. Bank 6 d 00 h instead of 5 d 00 h." in flat(answer(letters))
    assert to(letters, "Ann") == []
    letters = direct(directed, "go")
    assert "announces: hear me" in flat(one(letters, "Ann", "ruling"))
    assert directed.table().rulings[-1].kind == "clock"


@pytest.mark.long
def test_more_time_is_given_to_a_clock_and_a_held_game_s_stands_still(directed):
    timed(directed, "each 48h")
    due = waiting(directed)
    sure(directed, "clock Ann +24h because the server was not reached")
    assert waiting(directed) == due + 24 * 3600
    letters = direct(directed, "clock Ann -200h because it was given twice")
    assert "The deadline would lie in the past: Ann has 3 d 00 h left." in flat(answer(letters))
    assert to(letters, "Ann") == [] and waiting(directed) == due + 24 * 3600
    sure(directed, "clock Ann +48h because x", "clock Ann -2d because it was given twice")
    assert waiting(directed) == due + 24 * 3600
    letters = direct(directed, "clock Bob +24h because x")
    assert "Bob need not decide anything now" in flat(answer(letters))
    direct(directed, "hold because x")
    directed.now += 5 * 3600
    direct(directed, "resume because y")
    assert waiting(directed) == due + 29 * 3600


def sure(players, *lines):
    """What the organiser writes is shown, and done."""
    assert "to be confirmed" in answer(direct(players, *lines)).subject
    assert answer(direct(players, "go")).subject.endswith("done")


def waiting(players):
    """Until when who must act has, in UTC seconds."""
    game = players.table().row.id
    with players.store.transaction() as tx:
        [row] = tx.waiting(game)
    return row.due
