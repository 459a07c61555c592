"""Who plays a seat: standbys, resigning, coming back, deputies, who had a seat before."""

import re
from dataclasses import replace

import pytest

from engine.corrections import CashMoved
from engine.events import Corrected, PrivateBought
from engine.position.values import BANK, OFFERING
from engine.telling.narration import narrate
from service import said
from service.commands.entry import NOT_A_DEPUTY, Who
from service.desk.answering.yes_or_no import NOTED, YES_AND_NO
from service.desk.identity import credentials
from service.desk.lobby import lobby
from service.desk.options import seat_options
from service.desk.rationing import named_addresses
from service.desk.seats import deputies, handover, leaving, seat_answers, standbys, vacancies
from service.desk.seats.deputies import LONGEST
from service.desk.vocabulary.director_commands import ENTRIES
from service.desk.vocabulary.table import TABLE
from service.games import commit, directing
from service.rations import DAY
from service.store import FurtherRow
from tests.service.players import ADDRESS, GAME, TITLE, address, flat, one, says, to, unsaid
from tests.service.test_forged import quick_are

EVE, FAY = "eve@elsewhere.test", "fay@elsewhere.test"
BOUGHT = narrate(TITLE, PrivateBought("TR", "Ann", OFFERING, 20))


def got(letters, who, kind):
    """The only letter of a kind to an address."""
    [found] = [letter for letter in letters if (letter.to, letter.kind) == (who, kind)]
    return found


def listed(players, who=EVE):
    """Somebody who stands by; what they got last."""
    [asked] = players.stranger(who, f"standby {GAME}")
    return got(players.reply(asked, "yes"), who, "answer")


def listed_as(players):
    """Who stands by or acts, or is asked to."""
    return [(v.kind, v.address) for v in players.table().volunteers]


def vacant(players):
    return [(v.seat, v.cause) for v in players.table().vacancies]


# standing by


def test_who_wants_to_stand_by_is_asked_from_their_own_address(players):
    [asked] = players.stranger(EVE, f"standby {GAME}")
    assert asked.to == EVE
    assert says(asked.subject, standbys.ASK_SUBJECT, game=GAME)
    assert [v.agreed for v in players.table().volunteers] == [None]
    players.send(players.mail("mallory@evil.test", asked.reply_to, "yes"))
    assert [v.agreed for v in players.table().volunteers] == [None], "another's yes counts nothing"
    answer = got(players.reply(asked, "yes"), EVE, "answer")
    assert says(answer, seat_answers.YOU_STAND_BY, game=GAME)
    assert [v.agreed for v in players.table().volunteers] == [players.now]
    players.reply(answer, "no")
    assert players.table().volunteers == ()


@pytest.mark.long
@pytest.mark.parametrize(
    ("who", "line", "told"),
    [
        (EVE, "standby", standbys.WRITE_STANDBY_NAME),
        (EVE, "standby nowhere", lobby.NO_GAME.format(name="nowhere")),
        (address("Bob"), f"standby {GAME}", standbys.HAS_A_SEAT.format(game=GAME)),
    ],
)
def test_who_cannot_stand_by_is_told_why(players, who, line, told):
    letters = players.stranger(who, line)
    assert says(got(letters, who, "answer"), told)
    assert players.table().volunteers == ()


def test_nobody_is_on_the_list_twice(players):
    listed(players)
    letters = players.stranger(EVE, f"standby {GAME}")
    assert says(got(letters, EVE, "answer"), standbys.STANDS_BY_ALREADY, game=GAME)
    assert len(players.table().volunteers) == 1


def test_who_says_no_stands_by_no_more_and_yes_beside_it_is_refused(players):
    told = listed(players)
    [answer] = players.reply(told, "yes", "No.")
    assert says(answer, YES_AND_NO) and listed_as(players) == [("standby", EVE)]
    players.reply(told, "No.")
    assert listed_as(players) == []


def test_what_stands_beside_a_yes_to_a_seat_is_told_in_the_briefing(players):
    listed(players)
    letters = players.write("Bob", "resign yes")
    letters = players.reply(got(letters, EVE, "offered"), "Yes, gladly.", "say: hello")
    assert players.table().seat("Bob").address == EVE
    assert says(got(letters, EVE, "briefing"), NOTED, text="say: hello")
    assert [letter.kind for letter in letters if letter.to == EVE].count("answer") == 0


# resigning


@pytest.mark.long
def test_to_resign_is_asked_once_and_then_told_to_all(players):
    listed(players)
    asked = one(players.write("Bob", "resign"), "Bob")
    assert says(asked, leaving.RESIGN_YES)
    assert vacant(players) == []
    letters = players.reply(asked, "resign yes")
    assert vacant(players) == [("Bob", "resigned")]
    assert {(x.to, x.kind) for x in letters} == {
        (address("Bob"), "receipt"),
        (address("Ann"), "vacant"),
        (address("Cat"), "vacant"),
        (EVE, "offered"),
    }
    called = one(letters, "Cat", "vacant")
    assert says(called, standbys.CALLED, name="Bob", game=GAME, why="Bob has resigned")
    assert says(called, standbys.ONE_STANDS_BY)
    offered = got(letters, EVE, "offered")
    assert says(offered.subject, standbys.OFFER_SUBJECT, game=GAME, name="Bob")
    assert "PLAYER" in offered.text, "the position"
    again = one(players.write("Bob", "resign yes"), "Bob")
    assert says(again, leaving.RESIGNED_ALREADY)


@pytest.mark.long
def test_the_first_who_says_yes_has_the_seat_and_all_that_is_needed(players):
    listed(players)
    listed(players, "fay@elsewhere.test")
    players.write("Bob", "diary: secret", "note: for me")
    letters = players.write("Bob", "resign yes")
    offers = {x.to: x for x in letters if x.kind == "offered"}
    assert set(offers) == {EVE, "fay@elsewhere.test"}
    players.write("Ann", "buy TR")  # it is Bob's turn
    players.write("Ann", "rule 1: the sale stands")
    letters = players.reply(offers[EVE], "yes")
    briefing = got(letters, EVE, "briefing")
    assert says(briefing, handover.YOU_PLAY, name="Bob", game=GAME)
    [ruled] = players.table().rulings
    assert ruled.because == "the sale stands"
    assert f"{BOUGHT}; {directing.logged(ruled)}" in flat(briefing)
    assert "for me" not in briefing.text, "notes that were not released"
    assert got(letters, EVE, "turn").subject.startswith("[dixie9] YOUR TURN")
    assert says(one(letters, "Cat", "notice"), handover.ANOTHER_PLAYS, name="Bob", game=GAME)
    assert says(one(letters, "Bob", "moved"), handover.YOU_PLAY_NO_MORE, name="Bob", game=GAME)
    told = {letter.to for letter in letters if EVE in letter.text}
    assert told <= {EVE, address("Ann")}, "the organizer alone"
    assert to(letters, "Ann") == ["moved"]
    assert vacant(players) == []
    late = players.reply(offers["fay@elsewhere.test"], "yes")
    assert says(late[0], seat_answers.FREE_NO_MORE)
    assert players.table().seat("Bob").address == EVE
    players.reply(briefing, "buy S&NA")
    assert players.texts() == ["buy TR", "buy S&NA"]


@pytest.mark.long
def test_the_briefing_tells_corrections_and_rulings_where_they_were(players):
    players.write("Ann", "buy TR")
    for line in ("cash Ann +5 because the TR was sold too dear", "cash Bob +7 because of a slip"):
        [shown] = players.write("Ann", f"correct {line}")
        players.reply(shown, "go")
    players.write("Ann", "rollback 2 because Bob had no claim", "announce: hear me")
    players.write("Ann", "rule 1: the sale stands")
    letters = players.write("Ann", f"replace Cat by {EVE} because Cat is ill")
    letters = players.reply(got(letters, EVE, "offered"), "yes")
    told = flat(got(letters, EVE, "briefing")).partition("THE GAME SO FAR")[2]
    corrected = Corrected(CashMoved(BANK, "Ann", 5), "the TR was sold too dear")
    rulings = [row for row in players.table().rulings if row.kind in ("rollback", "rule")]
    assert [row.because for row in rulings] == ["Bob had no claim", "the sale stands"]
    # what a rollback took back is not told
    ruled = (directing.logged(replace(row, lost="")) for row in rulings)
    acts = (BOUGHT, narrate(TITLE, corrected), *ruled)
    assert told.startswith(f" SR 1 {'; '.join(acts)} HOW TO")


@pytest.mark.long
def test_notes_are_handed_on_if_they_were_released(players):
    listed(players)
    players.write("Bob", "release notes on", "note: buy S&NA first")
    letters = players.write("Bob", "resign yes")
    letters = players.reply(got(letters, EVE, "offered"), "yes")
    assert "buy S&NA first" in got(letters, EVE, "briefing").text
    assert "buy S&NA first" not in one(letters, "Bob", "moved").text
    refused = one(players.write("Ann", "release it"), "Ann")
    assert says(refused, seat_options.HOW_TO_RELEASE)


@pytest.mark.long
def test_who_had_the_seat_before_is_answered_once_in_plain_words(players):
    listed(players)
    turn = players.latest("Bob", "welcome")
    letters = players.write("Bob", "resign yes")
    players.reply(got(letters, EVE, "offered"), "yes")
    [answer] = players.reply(turn, "buy TR")
    assert says(answer, said.YOU_PLAY_NO_MORE, name="Bob", game=GAME)
    assert "play+" not in answer.mail.as_string()
    assert players.reply(turn, "hello?") == []
    assert players.texts() == []


def test_a_resigned_player_comes_back_while_nobody_has_come(players):
    listed(players)
    letters = players.write("Bob", "resign yes")
    offer = got(letters, EVE, "offered")
    back = players.write("Bob", "back")
    assert says(one(back, "Bob"), leaving.YOU_PLAY_AGAIN)
    assert says(one(back, "Cat", "notice"), leaving.PLAYS_AGAIN, name="Bob", game=GAME)
    assert vacant(players) == []
    assert says(got(players.reply(offer, "yes"), EVE, "answer"), seat_answers.FREE_NO_MORE)
    assert players.table().seat("Bob").address == address("Bob")
    assert says(one(players.write("Bob", "back"), "Bob"), leaving.NOT_AWAY)


@pytest.mark.long
def test_who_stands_by_late_is_offered_the_seat_at_once(players):
    players.write("Bob", "resign yes")
    [asked] = players.stranger(EVE, f"standby {GAME}")
    letters = players.reply(asked, "yes")
    assert {letter.kind for letter in letters if letter.to == EVE} == {"answer", "offered"}


@pytest.mark.long
def test_a_seat_is_never_given_to_a_player_of_the_same_game(players):
    listed(players)
    letters = players.write("Bob", "resign yes")
    offer = got(letters, EVE, "offered")
    with players.store.transaction() as tx:
        tx.seats.move(players.table().seat("Cat").id, EVE)
    answer = got(players.reply(offer, "yes"), EVE, "answer")
    assert says(answer, named_addresses.HAS_A_SEAT, name="Cat", game=GAME)
    assert players.table().seat("Bob").address == address("Bob")


def test_after_a_vote_the_standbys_are_asked_and_back_does_not_undo_it(players):
    listed(players)
    players.write("Ann", "propose replace Bob")
    letters = players.write("Cat", "vote 1 yes")
    assert vacant(players) == [("Bob", "vote")]
    assert got(letters, EVE, "offered")
    refused = one(players.write("Bob", "back"), "Bob")
    assert says(refused, commit.AGREED)
    assert vacant(players) == [("Bob", "vote")]


@pytest.mark.long
def test_a_vote_on_somebody_who_has_left_is_void_and_their_ballots_are_gone(players):
    listed(players)
    players.write("Ann", "propose replace Bob")
    players.write("Cat", "propose undo to 0")
    players.write("Bob", "propose extend 48h")
    letters = players.write("Bob", "resign yes")
    players.reply(got(letters, EVE, "offered"), "yes")
    found = {v.kind: v for v in players.table().votes}
    assert found["replace"].status == "lapsed"
    assert "Bob" not in dict(found["extend"].ballots)


# several commands in one email


def test_commands_on_the_seat_stand_beside_each_other(players):
    letters = players.write("Ann", f"deputy {EVE}", "pass-phrase set open sesame open", "resign")
    assert got(letters, EVE, "confirm")
    receipt = one(letters, "Ann")
    assert says(receipt, leaving.IS_ASKED, address=EVE)
    assert says(receipt, credentials.PHRASE_KEPT) and says(receipt, leaving.RESIGN_YES)
    assert vacant(players) == [] and listed_as(players) == [("deputy", EVE)]


def test_each_command_sees_what_the_one_before_it_came_to(players):
    listed(players)
    letters = players.write("Bob", "resign yes", f"deputy {FAY}", "deputy off")
    assert vacant(players) == [("Bob", "resigned")] and listed_as(players) == [("standby", EVE)]
    receipt = one(letters, "Bob")
    assert says(receipt, leaving.YOU_HAVE_RESIGNED) and says(receipt, leaving.NOBODY_ACTS)
    players.reply(got(letters, FAY, "confirm"), "yes")
    assert listed_as(players) == [("standby", EVE)], "nobody asks them any more"


def test_commands_on_the_seat_stand_beside_moves_and_talk(players):
    letters = players.write("Ann", "resign yes", "buy TR", f"deputy {EVE}", "say: farewell")
    assert players.texts() == ["buy TR"] and vacant(players) == [("Ann", "resigned")]
    assert ("deputy", EVE) in listed_as(players)
    assert "farewell" in flat(one(letters, "Cat", "news"))
    assert says(one(letters, "Ann"), leaving.YOU_HAVE_RESIGNED)


def test_two_new_addresses_in_one_email_are_the_later_one(players):
    deputised(players)
    letters = players.write("Ann", "new token", "back")
    assert players.table().seat("Ann").epoch == 2
    players.reply(one(letters, "Ann"), "buy TR")
    assert players.texts() == ["buy TR"]


def test_the_organiser_looks_for_one_player_in_an_email(players):
    letters = players.write("Ann", "replace Bob because of that", "replace Cat because of this")
    assert vacant(players) == [("Bob", "director")]
    assert says(one(letters, "Ann"), vacancies.ONE_AT_A_TIME)


def test_an_organiser_who_resigns_looks_for_nobody_else_in_the_same_email(players):
    letters = players.write("Ann", "resign yes", "replace Bob because of that")
    assert vacant(players) == [("Ann", "resigned")]
    assert says(one(letters, "Ann"), vacancies.ONE_AT_A_TIME)


def test_a_reason_goes_on_in_the_lines_below(players):
    first, second = "he is ill;", "nobody has heard of him"
    players.write("Ann", f"replace Bob because {first}", second, "back")
    [vacancy] = players.table().vacancies
    assert vacancy.why == f"{first} {second}"


# deputies


def deputised(players, until=""):
    letters = players.write("Ann", f"deputy {EVE}{until}")
    asked = got(letters, EVE, "confirm")
    return asked, players.reply(asked, "yes")


def test_a_player_who_has_resigned_dismisses_their_deputy_and_stays_away(players):
    deputised(players)
    before = players.table().seat("Ann").epoch
    letters = players.write("Ann", "resign yes", "deputy off")
    assert vacant(players) == [("Ann", "resigned")] and listed_as(players) == []
    assert players.table().seat("Ann").epoch == before + 1, "the deputy knew the address"
    assert says(one(letters, "Ann"), leaving.NOBODY_ACTS)
    told = got(letters, address("Bob"), "notice")
    assert says(told, leaving.ACTS_FOR_NONE, name="Ann", game=GAME)


@pytest.mark.long
def test_a_deputy_says_yes_and_may_then_play_for_the_seat(players):
    letters = players.write("Ann", f"deputy {EVE}")
    asked = got(letters, EVE, "confirm")
    assert says(asked, deputies.ASKS_YOU, name="Ann", game=GAME)
    assert to(letters, "Bob") == [], "nothing has changed yet"
    turn = players.latest("Ann")
    players.reply(turn, "buy TR", sender=EVE)
    assert players.texts() == [], "not before the yes"
    letters = players.reply(asked, "yes")
    assert says(one(letters, "Bob", "notice"), deputies.HAS_A_DEPUTY, seat="Ann", game=GAME)
    assert EVE not in one(letters, "Bob", "notice").text
    letters = players.reply(turn, "buy TR", sender=EVE)
    assert players.texts() == ["buy TR"]
    receipts = [letter for letter in letters if letter.kind == "receipt"]
    assert {letter.to for letter in receipts} == {EVE, address("Ann")}
    players.write("Bob", "buy S&NA")
    letters = players.write("Cat", "buy B&SLC")
    assert {letter.to for letter in letters if letter.kind == "turn"} == {EVE, address("Ann")}


def test_a_deputy_of_a_leave_gets_the_open_turn_email_when_it_begins(players):
    """Ann is asked before her leave begins; Eve knows from when on she acts."""
    letters = players.write("Ann", f"away 2027-01-20 to 2027-01-30 deputy {EVE}")
    letters = players.reply(got(letters, EVE, "confirm"), "yes")
    when = {"since": "20 January 2027, 00:00 UTC", "until": "31 January 2027, 00:00 UTC"}
    assert says(got(letters, EVE, "answer"), deputies.YOU_ACT, seat="Ann", game=GAME, **when)
    for_all = {"seat": "Ann", "game": GAME, **when}
    assert says(one(letters, "Bob", "notice"), deputies.HAS_A_DEPUTY, **for_all)
    assert says(one(letters, "Ann", "notice"), deputies.ACTS_FOR_YOU, address=EVE, **when)
    assert "turn" not in [letter.kind for letter in letters]
    players.now += 4 * DAY
    assert players.work() == []
    players.now += DAY
    [turn] = players.work()
    assert (turn.to, turn.kind) == (EVE, "turn")
    players.reply(turn, "buy TR", sender=EVE)
    assert players.texts() == ["buy TR"]


def test_a_deputy_whose_player_need_not_act_gets_no_turn_email(players):
    letters = players.write("Bob", f"away 2027-01-20 to 2027-01-30 deputy {EVE}")
    players.reply(got(letters, EVE, "confirm"), "yes")
    players.now += 5 * DAY
    assert players.work() == []


#: words of the player alone, as they would be done for the player, who organises the game as well
THEIRS = (
    *("resign yes", "back", "deputy fay@x.test", "new token", "away 3 Aug to 17 Aug"),
    *("auto-leave on", "release notes on", "digest off", "news off", "images off", "zone UTC"),
    *("alarm all off", "quiet 22:00 to 07:00", "remind off", "batch daily 20:00"),
    *("address eve@elsewhere.test", "address add eve@elsewhere.test", "address Bob b@x.test"),
    *("pass-phrase: open sesame", "pass-phrase set open sesame open", "pass-phrase off"),
    *("grade friendly", "list off", "list evil@else.test", "list pictures off", "forum off"),
    *("forum thread", "forum name", "replace Bob because he is ill"),
    *("replace Bob by fay@x.test because he is ill", "dispute 0: no", "ask undo because of me"),
    *("hold on dispute on", *(entry.example for entry in ENTRIES)),
)


def standing_of(players):
    """Everything that a word of the player alone could change."""
    table = players.table()
    with players.store.transaction() as tx:
        phrases = [tx.proofs.phrase(table.row.id, who) for who in ("Ann", "organiser")]
        further = [tx.seats.further(seat.id) for seat in table.seats]
        names = tx.channels.names(table.row.id)
        kept = (table.row, table.seats, table.volunteers, table.vacancies, table.mailing)
    return (*kept, table.forum, phrases, further, names, players.texts())


@pytest.fixture
def with_deputy(players):
    """Ann organises the game, which has a list and a forum, and Eve acts for her."""
    deputised(players)
    players.write("Ann", "list dixie@lists.example.org")
    players.write("Ann", "forum thread")
    return players


@pytest.mark.parametrize(
    "word", quick_are(("list off", "forum off", "digest off", "resign yes"), THEIRS)
)
def test_what_is_the_player_s_alone_a_deputy_cannot_do(with_deputy, word):
    players = with_deputy
    before = standing_of(players)
    letters = players.reply(players.latest("Ann"), word, sender=EVE)
    assert {(letter.kind, letter.to) for letter in letters} == {
        ("receipt", EVE),
        ("receipt", address("Ann")),
    }
    assert all("NOT DONE" in letter.subject for letter in letters)
    assert standing_of(players) == before


@pytest.mark.long
@pytest.mark.parametrize("word", ["back", "digest off", "new token", "away 3 Aug to 17 Aug"])
def test_a_command_of_the_player_beside_a_deputy_s_move_is_refused(with_deputy, word):
    letters = with_deputy.reply(with_deputy.latest("Ann"), "buy TR", word, sender=EVE)
    refused = NOT_A_DEPUTY.format(word="new token" if "new" in word else word.split()[0])
    assert says(got(letters, EVE, "receipt"), refused)
    assert with_deputy.texts() == ["buy TR"]


def test_a_pass_phrase_beside_a_deputy_s_move_undoes_the_email(with_deputy):
    letters = with_deputy.reply(
        with_deputy.latest("Ann"), "buy TR", "pass-phrase: open sesame", sender=EVE
    )
    assert says(got(letters, EVE, "receipt"), deputies.NO_PHRASE)
    assert with_deputy.texts() == []


@pytest.mark.parametrize(
    "text", quick_are(("buy TR", "forum"), [*(e.example for e in TABLE if Who.DEPUTY & e.who)])
)
def test_a_deputy_may_write_all_else(with_deputy, text):
    letters = with_deputy.reply(with_deputy.latest("Ann"), text, sender=EVE)
    assert unsaid(got(letters, EVE, "receipt"), NOT_A_DEPUTY)
    assert unsaid(got(letters, EVE, "receipt"), deputies.NO_PHRASE)


def test_a_deputy_confirms_no_email_in_the_player_s_name(players):
    deputised(players)
    told = one(players.write("Ann", "resign yes", sender="ann@work.test"), "Ann", "foreign")
    [number] = re.findall(r"`(yes \d+)`", flat(told))
    players.reply(players.latest("Ann"), number, sender=EVE)
    assert vacant(players) == []
    players.reply(told, number)
    assert vacant(players) == [("Ann", "resigned")]


@pytest.mark.long
def test_who_comes_back_has_a_new_address_that_the_deputy_does_not_know(players):
    deputised(players)
    turn = players.latest("Ann")
    letters = players.write("Ann", "back")
    assert says(one(letters, "Ann"), leaving.NOBODY_ACTS)
    players.reply(turn, "buy TR", sender=EVE)
    assert players.texts() == []
    players.reply(one(letters, "Ann"), "buy TR")
    assert players.texts() == ["buy TR"]


def test_the_time_of_a_deputy_ends_by_itself(players):
    deputised(players)
    turn = players.latest("Ann")
    players.now += (LONGEST + 1) * DAY
    letters = players.work()
    told = one(letters, "Ann", "renewed")
    assert says(told.subject, deputies.TIME_IS_OVER_SUBJECT, game=GAME)
    assert players.table().volunteers == ()
    players.reply(turn, "buy TR", sender=EVE)
    assert players.texts() == []
    players.reply(told, "buy TR")
    assert players.texts() == ["buy TR"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "Write whom"),
        ("Bob", "Bob plays in dixie9 already"),
        (address("Bob"), "Bob plays in dixie9 already"),
        (address("Ann"), "Ann plays in dixie9 already"),
        ("nonsense", "not an email address"),
        (f"{EVE} until 2020-01-01", "That day is over"),
        (f"{EVE} until 2027-02-30", "no day 2027-02-30"),
        (f"{EVE} until 2030-01-01", "60 days at most"),
        ("off", "Nobody acts for you"),
    ],
)
def test_who_cannot_be_a_deputy(players, words, told):
    answer = one(players.write("Ann", f"deputy {words}".strip()), "Ann")
    assert told in flat(answer)
    assert answer.subject.endswith("NOT DONE")
    assert players.table().volunteers == ()


@pytest.mark.long
def test_a_deputy_who_does_not_want_to_is_none(players):
    letters = players.write("Ann", f"deputy {EVE}")
    letters = players.reply(got(letters, EVE, "confirm"), "no")
    assert says(one(letters, "Ann", "notice"), deputies.DOES_NOT_ACT, address=EVE)
    assert players.table().volunteers == ()


def test_a_deputy_who_ends_it_has_no_power_left(players):
    _, letters = deputised(players)
    turn = players.latest("Ann")
    letters = players.reply(got(letters, EVE, "answer"), "no")
    told = one(letters, "Ann", "notice")
    assert says(told, deputies.ACTS_NO_LONGER)
    assert players.table().volunteers == ()
    players.reply(turn, "buy TR")
    assert players.texts() == [], "the token that the deputy knew is void"
    players.reply(told, "buy TR")
    assert players.texts() == ["buy TR"]


def test_mails_to_our_own_address_tell_how_to_stand_by(players):
    letters = players.send(players.mail(EVE, ADDRESS, "stand by for dixie9"))
    assert letters[0].kind == "confirm"


# the organiser


@pytest.mark.long
def test_the_organiser_has_all_asked_who_stand_by(players):
    listed(players)
    letters = players.write("Ann", "replace Bob because Bob is ill")
    assert says(one(letters, "Ann"), vacancies.WHO_IS_ASKED, name="Bob", asked=EVE)
    assert says(one(letters, "Bob", "notice"), vacancies.LOOKS_FOR_ANOTHER)
    assert says(one(letters, "Cat", "vacant"), standbys.CALLED, name="Bob", why="Bob is ill")
    assert players.table().seat("Bob").address == address("Bob"), "until somebody has said yes"
    assert vacant(players) == [("Bob", "director")]
    letters = players.reply(got(letters, EVE, "offered"), "yes")
    assert players.table().seat("Bob").address == EVE
    assert "because Bob is ill" in flat(got(letters, EVE, "briefing"))


@pytest.mark.long
def test_a_search_can_be_ended(players):
    listed(players)
    letters = players.write("Ann", "replace Bob because Bob is ill")
    offer = got(letters, EVE, "offered")
    letters = players.write("Ann", "replace Bob off")
    assert "stays" in flat(one(letters, "Bob", "notice"))
    assert vacant(players) == []
    assert says(got(players.reply(offer, "yes"), EVE, "answer"), seat_answers.FREE_NO_MORE)


def test_whom_the_organiser_names_is_asked_first_and_then_has_the_seat(players):
    letters = players.write("Ann", f"replace Bob by {EVE} because Bob is ill")
    assert says(one(letters, "Ann"), vacancies.WHO_IS_ASKED, name="Bob", asked=EVE)
    assert players.table().seat("Bob").address == address("Bob"), "until somebody has said yes"
    letters = players.reply(got(letters, EVE, "offered"), "yes")
    assert players.table().seat("Bob").address == EVE
    assert got(letters, EVE, "briefing")


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("replace Bob", "The reason is missing"),
        ("replace Bob by cat@players.test because he asked", "Cat plays in dixie9 already"),
        ("replace Bob by bob@players.test because he asked", "Bob plays in dixie9 already"),
        ("replace Bob by nonsense because he asked", "not an email address"),
        ("replace Dan because he asked", "There are Ann, Bob and Cat"),
        ("replace", "Write it as in"),
        ("replace Bob off", "Nobody is wanted for the seat"),
    ],
)
def test_a_replacement_that_cannot_be_is_refused_and_changes_nothing(players, line, told):
    before = players.table().seats
    answer = one(players.write("Ann", line), "Ann")
    assert told in flat(answer)
    assert answer.subject.endswith("NOT DONE")
    assert players.table().seats == before
    assert vacant(players) == []


@pytest.mark.long
def test_only_the_organiser_replaces(players):
    players.write("Bob", f"replace Cat by {EVE} because I want it")
    players.write("Bob", "replace Cat because I want it")
    assert vacant(players) == []
    assert players.table().seat("Cat").address == address("Cat")


# addresses that somebody names


def test_one_limit_holds_for_an_address_whatever_it_is_asked(players):
    """Deputies, further addresses, assistants and new players: all of it reaches one mailbox."""
    words = [("Bob", f"deputy {EVE}"), ("Cat", f"address add {EVE}"), ("Ann", f"assistant {EVE}")]
    words += [("Bob", "deputy EVE+2@elsewhere.test"), ("Cat", f"deputy {EVE}"), *words[:1]]
    asked = [letter for who, word in words for letter in players.write(who, word)]
    reached = [letter for letter in asked if letter.to.casefold().startswith("eve")]
    assert len(reached) == 6, "the limit of an hour"
    for who, word in (
        ("Ann", f"replace Bob by {EVE} because he is ill"),
        ("Cat", f"deputy {EVE}"),
        ("Cat", f"away 2027-03-01 to 2027-03-09 deputy {EVE}"),
        ("Bob", f"address {EVE}"),
        ("Ann", f"assistant {EVE}"),
    ):
        letters = players.write(who, word)
        assert to(letters, EVE) == [], word
        [told] = [flat(letter) for letter in letters if letter.to == address(who)]
        assert says(told, named_addresses.TOO_MANY), word
    players.now += DAY
    assert EVE in [
        letter.to for letter in players.write("Ann", f"replace Bob by {EVE} because he is ill")
    ]


ORGANISES_FROM = "ann@elsewhere.test"
BOBS_PHRASE = "seven green trains at noon"


def organised_from(players, seat=""):
    """The game is organized from another address; it is a seat's second address, if one is named."""
    row = players.table().seat(seat) if seat else None
    with players.store.transaction() as tx:
        tx.games.move_organiser(players.table().row.id, ORGANISES_FROM)
        if row:
            tx.seats.set_further(
                FurtherRow(row.id, "second", ORGANISES_FROM, row.epoch, 0, players.now, stands=True)
            )


@pytest.mark.parametrize("sender", [address("Ann"), ORGANISES_FROM])
def test_an_organiser_who_plays_organises_from_each_of_their_addresses(players, sender):
    organised_from(players, "Ann")
    players.write("Ann", f"replace Bob by {EVE} because Bob is ill", sender=sender)
    assert vacant(players) == [("Bob", "director")]


def test_a_pass_phrase_of_a_player_proves_no_organiser_whom_the_email_names(players):
    organised_from(players)
    players.write("Bob", f"pass-phrase set {BOBS_PHRASE}")
    lines = (f"pass-phrase: {BOBS_PHRASE}", f"replace Cat by {EVE} because Cat is ill")
    players.write("Bob", *lines, sender=ORGANISES_FROM)
    assert vacant(players) == []
