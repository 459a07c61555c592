"""Who enters a tournament, and how: every clear answer to what cannot be."""

import pytest

from service import said
from service.clocks import zones
from service.commands.entry import Who
from service.desk.answering import effects
from service.desk.letters.desk import Desk
from service.desk.strangers import by_letter, stranger_mail
from service.desk.tournament.answering import tournament_context, tournament_email
from service.desk.tournament.directing import tournament_directing
from service.desk.tournament.entries import entering, withdrawing
from service.desk.tournament.identity import entrant_zone, tournament_addresses
from service.desk.tournament.questions import public
from service.desk.tournament.rounds import seating_rounds
from service.desk.tournament.rules import announcing
from service.desk.tournament.stored import keeping
from service.desk.vocabulary import tournament_commands, tournament_director_commands
from service.reports import receipt
from service.reports.receipt import NOT_DONE
from service.store import Conflict, Occasion
from service.tournaments import form, telling
from service.tournaments.rules import TournamentRules
from service.tournaments.values import Entrant
from tests.service.players import ADDRESS, GAME, address, flat, one, says
from tests.service.tournament.setting import DIRECTOR, FORM, NAME, PlayedTournament, become


def states(spring):
    return {entry.name: entry.state for entry in spring.tournament.entries}


def test_the_form_comes_back_filled_in_and_the_tournament_is_announced(newcomers):
    spring = PlayedTournament(newcomers)
    [asked] = spring.took(newcomers.stranger(DIRECTOR, f"tournament new {NAME}"))
    for line in form.printed(TournamentRules(NAME, director=DIRECTOR), True).splitlines():
        assert line in asked.text
    assert spring.know() is None
    [told] = spring.took(newcomers.reply(asked, *FORM))
    assert says(told, announcing.IS_ANNOUNCED, tournament=NAME)
    assert spring.tournament.rules.round(1).titles[0].name == "18AL"
    assert spring.tournament.rules.director == DIRECTOR
    assert spring.tournament.digests[0] in flat(told)


@pytest.mark.parametrize("word", ["tournament", "standings", "enter", "withdraw"])
@pytest.mark.parametrize("named", ["http://evil.test/win", "evil.test"])
def test_what_a_stranger_calls_a_tournament_stands_in_no_letter(newcomers, word, named):
    [told] = newcomers.stranger("eve@fresh.test", f"{word} {named}")
    assert "evil" not in f"{told.subject} {told.text} {told.html}"


@pytest.mark.long
def test_a_form_with_faults_is_told_line_by_line_and_nothing_is_announced(newcomers):
    spring = PlayedTournament(newcomers)
    [asked] = spring.took(newcomers.stranger(DIRECTOR, f"tournament new {NAME}"))
    [told] = newcomers.reply(asked, "round 1 titles: 1899", "places: many")
    assert told.subject.endswith(NOT_DONE)
    assert says(told, form.FAULT, text="round 1 titles: 1899")
    assert says(told, form.NO_TITLE, title="1899")
    assert says(told, form.FAULT, text="places: many")
    assert spring.know() is None
    spring.took([told])
    [told] = newcomers.reply(told, *FORM)
    assert says(told.subject, announcing.IS_ANNOUNCED.rstrip("."), tournament=NAME)
    assert spring.know() is not None


@pytest.mark.parametrize("name", ["x", "Ten-Letters-Long", "moderator", "spring"])
def test_names_that_a_tournament_cannot_have(spring, name):
    [told] = spring.people.stranger("eve@x.test", f"tournament new {name}")
    assert told.subject.endswith(NOT_DONE)


@pytest.mark.long
def test_no_game_takes_the_name_of_a_tournament_or_of_a_board(spring):
    for name in (NAME, f"{NAME}-1-1"):
        [told] = spring.people.stranger("eve@x.test", f"create 18AL {name}")
        assert told.subject.endswith(NOT_DONE)


@pytest.mark.long
def test_entering_takes_a_yes_from_the_address_that_enters(spring):
    [asked] = spring.ask("Bob")
    assert states(spring) == {"Bob": "asked"} and spring.tournament.players == ()
    [told] = spring.people.reply(asked, "yes", sender="mallory@else.test")
    assert told.subject.endswith(NOT_DONE) and states(spring) == {"Bob": "asked"}
    [told] = spring.people.reply(asked, "perhaps")
    assert says(told, tournament_context.YES_TO_ENTER)
    [told] = spring.people.reply(asked, "Yes, gladly!")
    assert says(told, entering.YOU_HAVE_ENTERED, tournament=NAME, name="Bob")
    [entry] = spring.tournament.players
    assert (entry.name, entry.addresses) == ("Bob", (address("Bob"),))


def test_who_enters_twice_is_told_how_the_entry_stands(spring):
    spring.enter("Bob")
    [told] = spring.ask("Bob")
    already = {"tournament": NAME, "name": "Bob", "state": telling.IS_PLAYING}
    assert says(told, entering.ENTERED_ALREADY, **already)
    [told] = spring.ask("Rob", sender=address("Bob"))
    assert says(told, entering.ENTERED_ALREADY, **already)
    assert len(spring.tournament.entries) == 1


@pytest.mark.long
def test_a_yes_that_comes_twice_changes_nothing(spring):
    [asked] = spring.ask("Bob")
    spring.people.reply(asked, "yes")
    before = spring.tournament.last
    [told] = spring.people.reply(asked, "yes")
    assert says(told, telling.IS_PLAYING) and spring.tournament.last == before


def test_a_second_address_is_no_second_entry(spring):
    spring.enter("Bob")
    become(spring, Entrant("Bob", 1, (address("Bob"), "bob@work.test")))
    [told] = spring.ask("Robert", sender="bob@work.test")
    assert says(told, entering.IS_FURTHER_ADDRESS, name="Bob", tournament=NAME)
    assert len(spring.tournament.entries) == 1


def test_an_address_of_another_entrant_is_refused(spring):
    spring.enter("Ann", "Bob")
    letters = spring.write("Bob", f"address {address('Ann')}")
    assert says(
        letters[-1], tournament_addresses.ADDRESS_OF_ANOTHER, address=address("Ann"), name="Ann"
    )


@pytest.mark.long
def test_an_entrant_who_moves_is_written_to_there_and_the_old_address_works_no_more(spring):
    spring.enter("Bob")
    old = spring.latest[address("Bob"), "entry"]
    letters = spring.write("Bob", "address bob@new.test")
    [asked] = [one for one in letters if one.to == "bob@new.test"]
    letters = spring.took(spring.people.reply(asked, "yes"))
    assert {one.to for one in letters} == {"bob@new.test", address("Bob")}
    assert spring.tournament.players[0].addresses == ("bob@new.test",)
    [told] = spring.people.reply(old, "withdraw yes")
    assert says(told, tournament_email.NOT_YOURS, tournament=NAME) and states(spring) == {
        "Bob": "entered"
    }
    [told] = spring.people.reply(spring.latest["bob@new.test", "entry"], "withdraw yes")
    assert states(spring) == {"Bob": "withdrawn"}


@pytest.mark.long
def test_a_name_is_had_once_and_must_mean_nothing_else(spring):
    spring.enter("Bob")
    [told] = spring.ask("BOB", sender="other@x.test")
    assert told.subject.endswith(NOT_DONE)
    [told] = spring.ask("Tusc", sender="other@x.test")
    assert told.subject.endswith(NOT_DONE)
    assert states(spring) == {"Bob": "entered"}


def test_who_assists_does_not_enter(spring):
    [asked] = [x for x in spring.direct("assistant tess@clubs.test") if x.to == "tess@clubs.test"]
    spring.people.reply(asked, "yes")
    [told] = spring.ask("Tess", sender="tess@clubs.test")
    assert says(told, entering.YOU_ASSIST, tournament=NAME)


def test_names_that_are_not_confirmed_block_nobody(spring):
    spring.ask("Bob", sender="ghost@x.test")
    spring.enter("Bob")
    assert [e.addresses for e in spring.tournament.players] == [(address("Bob"),)]


@pytest.mark.long
def test_nobody_overtakes_those_who_wait_when_there_are_more_places(newcomers):
    spring = PlayedTournament(newcomers)
    spring.announce(*FORM, "places: 3")
    spring.enter("Ann", "Bob", "Cat", "Dan")
    assert states(spring)["Dan"] == "waiting"
    spring.direct("rules", "places: 4", "because there is room")
    letters = spring.enter("Eve")
    assert (states(spring)["Dan"], states(spring)["Eve"]) == ("entered", "waiting")
    assert says(one(letters, "Dan", "tournament"), withdrawing.PLAY_AFTER_ALL, tournament=NAME)


@pytest.mark.long
def test_who_is_let_in_again_overtakes_nobody_who_waits(newcomers):
    spring = PlayedTournament(newcomers)
    spring.announce(*FORM, "places: 2")
    spring.enter("Ann", "Bob", "Cat")
    spring.direct("exclude Ann because of it")
    spring.enter("Dan")
    spring.direct("rules", "places: 3", "because there is room")
    spring.direct("admit Ann")
    assert states(spring) == dict.fromkeys(("Bob", "Cat", "Dan"), "entered") | {"Ann": "waiting"}


def test_after_the_first_seating_only_who_is_seated_in_it_is_let_in_again(spring):
    spring.enter("Ann", "Bob", "Cat", "Dan")
    spring.direct("exclude Dan because of it")
    spring.direct("close")
    spring.direct("seat")
    spring.direct("exclude Bob because of it")
    told = spring.receipt(spring.direct("admit Dan"))
    assert says(told, entering.FIRST_IS_SEATED) and states(spring)["Dan"] == "excluded"
    letters = spring.direct("admit Bob")
    assert says(spring.receipt(letters), entering.PLAYS, name="Bob")
    assert says(one(letters, "Bob", "tournament"), entering.YOU_HAVE_ENTERED, name="Bob")


def test_a_full_tournament_has_a_waiting_list_that_moves_up(newcomers):
    spring = PlayedTournament(newcomers)
    spring.announce(*FORM, "places: 3")
    letters = spring.enter("Ann", "Bob", "Cat", "Dan", "Eve")
    assert says(letters[-1], entering.YOU_WAIT, tournament=NAME, name="Eve")
    assert says(spring.ask("Eve")[0], telling.IS_WAITING, place=2)
    letters = spring.write("Bob", "withdraw")
    assert says(one(letters, "Bob", "answer"), withdrawing.HAVE_WITHDRAWN, tournament=NAME)
    assert says(one(letters, "Dan", "tournament"), withdrawing.PLAY_AFTER_ALL, tournament=NAME)
    assert states(spring)["Dan"] == "entered" and states(spring)["Eve"] == "waiting"


def test_nobody_enters_after_the_close_but_somebody_may_stand_by(spring):
    [late] = spring.ask("Fay")
    spring.enter("Ann", "Bob", "Cat")
    spring.direct("close")
    [told] = spring.people.reply(late, "yes")
    assert says(told, entering.CLOSED, tournament=NAME)
    [told] = spring.ask("Gus")
    assert says(told, entering.CLOSED, tournament=NAME)
    spring.enter("Gus", word="standby")
    assert states(spring)["Gus"] == "standby"
    letters = spring.direct("open")
    assert says(one(letters, "Ann", "reopened"), entering.OPEN_AGAIN)
    spring.people.reply(late, "yes")
    assert states(spring)["Fay"] == "entered"


def test_who_is_excluded_is_told_why_and_cannot_come_back(spring):
    spring.enter("Ann", "Bob")
    assert says(
        spring.receipt(spring.direct("exclude Bob")),
        tournament_directing.EXAMPLE_WITH_REASON,
        word="exclude",
    )
    reason = "of what was written in June"
    letters = spring.direct(f"exclude Bob because {reason}")
    assert says(one(letters, "Bob", "out"), withdrawing.GIVES_REASON, because=reason)
    assert states(spring) == {"Ann": "entered", "Bob": "excluded"}
    [told] = spring.ask("Bob")
    assert says(told, entering.WAS_EXCLUDED, tournament=NAME, reason=reason)


def test_a_mail_in_an_entrant_s_name_withdraws_nobody(spring):
    spring.enter("Bob")
    [asked] = spring.took(spring.people.stranger(address("Bob"), "withdraw spring"))
    assert states(spring) == {"Bob": "entered"}
    assert says(asked, withdrawing.ANYBODY_COULD)
    spring.people.reply(asked, "withdraw")
    assert states(spring) == {"Bob": "withdrawn"}


def test_yes_to_whether_somebody_wants_to_withdraw_withdraws_them(spring):
    spring.enter("Bob")
    spring.write("Bob", "yes")
    assert states(spring) == {"Bob": "entered"}, "yes to nothing"
    [asked] = spring.took(spring.people.stranger(address("Bob"), "withdraw spring"))
    spring.people.reply(asked, "Yes, please.")
    assert states(spring) == {"Bob": "withdrawn"}


@pytest.mark.long
def test_a_token_that_others_could_read_is_renewed(spring):
    spring.enter("Bob")
    letter = spring.latest[address("Bob"), "entry"]
    letters = spring.took(spring.people.reply(letter, "withdraw", Cc="eve@x.test"))
    assert says(letters[0], said.TOKEN_WAS_SHOWN)
    assert states(spring) == {"Bob": "entered"}
    [told] = spring.people.reply(letter, "withdraw")
    assert says(told, tournament_email.NOT_YOURS, tournament=NAME)
    spring.write("Bob", "withdraw")
    assert states(spring) == {"Bob": "withdrawn"}


@pytest.mark.long
def test_nobody_directs_from_elsewhere(spring):
    [told] = spring.people.stranger(DIRECTOR, f"tournament {NAME}")
    assert "round 1 titles: 18AL" in told.text
    letters = spring.direct("close", sender="mallory@else.test")
    told = [(one.to, one.kind) for one in letters]
    assert told == [(DIRECTOR, "foreign"), ("mallory@else.test", "away")]
    assert spring.tournament.status == "announced"


def test_everybody_may_ask(spring):
    spring.enter("Ann", "Bob")
    [told] = spring.people.stranger("eve@x.test", "tournament spring")
    assert says(told, public.ALL_PLAYERS, players="2 players", names="Ann, Bob")
    assert says(told, public.WRITE_ENTER, tournament=NAME)
    assert DIRECTOR not in told.text and address("Ann") not in told.text
    [told] = spring.people.stranger("eve@x.test", "tournaments")
    assert says(told, telling.ENTRIES_OPEN, tournament=NAME, players="2 players")
    [told] = spring.people.stranger("eve@x.test", "standings spring")
    assert says(told, public.NO_STANDINGS)
    [told] = spring.people.stranger("eve@x.test", "tournament autumn")
    assert says(told, keeping.NO_SUCH_BUT_ONE, name="autumn", tournaments=NAME)


@pytest.mark.long
def test_two_who_write_at_once_are_both_heard(spring):
    from service.desk.tournament.entries import entering
    from service.desk.tournament.stored.keeping import keep_acts

    known, store = spring.know(), spring.people.store
    desk = Desk(spring.people.service, spring.people.now, Occasion("test", "one"))
    acts, _ = entering.ask(desk, known, "bob@x.test", "Bob", False)
    spring.enter("Ann")
    with pytest.raises(Conflict), store.transaction() as tx:
        keep_acts(tx, desk, known, acts)
    assert states(spring) == {"Ann": "entered"}


def test_any_commands_stand_in_one_email_of_an_entrant_and_each_for_itself(begun):
    begun.write("Bob", "propose excused: 5")
    lines = ("zone europe/paris; vote yes; standings", "zone perhaps", "zone berlin")
    [told] = begun.write("Ann", *lines)
    entry = begun.tournament.entry("Ann")
    assert entry.zone == "Europe/Paris"
    assert dict(begun.tournament.vote.ballots)["Ann"]
    assert says(told, entrant_zone.YOUR_ZONE, zone="Europe/Paris")
    assert says(told, zones.HOW_TO_ZONE)
    assert says(told, zones.HOW_TO_ZONE_NEAR, zones="Europe/Berlin")
    assert says(told, public.STANDINGS_OF, tournament=NAME) and says(told, receipt.DONE_BUT)


def test_who_enters_may_write_more_beside_the_yes(spring):
    [asked] = spring.ask("Bob")
    letters = spring.took(spring.people.reply(asked, "zone Europe/Paris", "yes"))
    assert states(spring) == {"Bob": "entered"}
    told = one(letters, "Bob", "answer")
    assert says(told, tournament_context.YES_TO_ENTER), "zone stood before the yes"
    welcome = one(letters, "Bob", "tournament")
    assert says(welcome, entering.YOU_HAVE_ENTERED, tournament=NAME, name="Bob")


def test_a_withdrawal_in_mid_round_is_asked_first_and_the_rest_is_done(begun):
    [told] = begun.write("Bob", "zone Europe/Paris", "withdraw")
    assert begun.tournament.entry("Bob").state == "entered"
    assert begun.tournament.entry("Bob").zone == "Europe/Paris"
    assert says(told, withdrawing.REPLY_YES) and says(told, receipt.PARTLY_TO_BE_CONFIRMED)
    begun.write("Bob", "withdraw yes")
    assert begun.tournament.entry("Bob").state == "withdrawn"


def test_yes_to_the_email_that_asks_withdraws_in_mid_round(begun):
    [told] = begun.write("Bob", "withdraw")
    assert begun.tournament.entry("Bob").state == "entered"
    begun.took(begun.people.reply(told, "yes"))
    assert begun.tournament.entry("Bob").state == "withdrawn"


def test_two_questions_of_a_stranger_get_two_answers_in_one_email(spring):
    spring.enter("Ann", "Bob")
    [told] = spring.people.stranger("eve@x.test", "tournaments", "standings spring")
    assert says(told, public.TOURNAMENTS_HERE)
    assert says(told, public.STANDINGS_OF, tournament=NAME)


def test_who_is_asked_whether_to_enter_gets_the_answers_to_their_questions_too(spring):
    lines = ("tournaments", "enter spring as Bob; standings spring", "enter spring as Rob")
    asked, told = spring.took(spring.people.stranger(address("Bob"), *lines))
    assert (asked.kind, told.kind) == ("confirm", "answer")
    assert says(asked, entering.WANT_TO_ENTER, tournament=NAME) and says(
        told, public.TOURNAMENTS_HERE
    )
    assert says(told, by_letter.TWICE), "nobody is asked twice by one email"
    assert states(spring) == {"Bob": "asked"}
    spring.people.reply(asked, "yes")
    assert states(spring) == {"Bob": "entered"}


def test_a_stranger_asks_and_wants_things_of_games_and_tournaments_in_one_email(spring):
    people = spring.people
    people.stranger(DIRECTOR, "create 18AL dixie7")
    asks = ("games", "tournaments", "standby dixie7", "enter spring as Bob", "status dixie7")
    for lines in (asks, asks[::-1]):
        letters = spring.took(people.stranger(address("Bob"), *lines))
        assert sorted(letter.kind for letter in letters) == ["answer", "confirm", "confirm"]
        told = one(letters, "Bob", "answer")
        assert says(told, public.TOURNAMENTS_HERE) and "dixie7 (18AL)" in told.text
        found = [told.text.index(line) for line in ("standby", "enter", "> status dixie7")]
        assert says(told, stranger_mail.ANOTHER_LETTER) and all(found)
        assert says(told, receipt.TO_BE_CONFIRMED)
        assert states(spring) == {"Bob": "asked"}
        people.now += 3600
    for letter in letters:
        if letter.kind == "confirm":
            people.reply(letter, "yes")
    assert states(spring) == {"Bob": "entered"}
    [volunteer] = people.table("dixie7").volunteers
    assert volunteer.agreed is not None


def test_of_a_stranger_s_email_what_is_refused_stands_beside_what_is_done(spring):
    lines = ("enter autumn as Bob", "enter spring as Bob", "standby spring", "buy TR")
    asked, told = spring.took(spring.people.stranger(address("Bob"), *lines))
    assert states(spring) == {"Bob": "asked"} and says(
        asked, entering.WANT_TO_ENTER, tournament=NAME
    )
    assert says(told, keeping.NO_SUCH_BUT_ONE, name="autumn", tournaments="spring")
    assert says(told, said.BY_WHICH_NAME, word="standby", tournament=NAME)
    assert says(told, receipt.MARKED_NOT_DONE) and "buy" not in told.text


def test_questions_and_wishes_of_a_stranger_s_email_have_one_limit(spring):
    lines = ["tournaments"] * (stranger_mail.MOST - 1)
    [told] = spring.people.stranger(address("Bob"), *lines, "tournament new", "enter spring as Bob")
    assert says(told, announcing.BY_WHICH_NAME)
    assert says(told, stranger_mail.ENOUGH, most=stranger_mail.MOST)
    assert states(spring) == {}


def test_nothing_of_tournaments_is_done_for_a_stranger_that_nobody_would_be_told_of(spring):
    for _ in range(4):
        spring.people.stranger(address("Bob"), "tournaments")
    lines = ("enter spring as Bob", "tournament new other")
    asked, told = spring.people.stranger(address("Bob"), *lines)
    assert (asked.kind, told.kind) == ("confirm", "answer")
    assert says(told, stranger_mail.NO_ANSWERS_LEFT)
    assert spring.people.stranger(address("Bob"), "withdraw spring", "tournaments") == []


def test_a_player_enters_a_tournament_beside_a_move_and_a_question(players):
    spring = PlayedTournament(players)
    spring.announce()
    lines = ("buy TR", "enter spring as Ann", "tournaments", "enter autumn as Ann")
    letters = spring.took(players.write("Ann", *lines))
    assert players.table(GAME).state.number == 1
    asked, receipt = one(letters, "Ann", "confirm"), one(letters, "Ann", "receipt")
    assert says(asked, entering.WANT_TO_ENTER, tournament=NAME) and states(spring) == {
        "Ann": "asked"
    }
    assert says(receipt, public.TOURNAMENTS_HERE)
    assert says(receipt, stranger_mail.ANOTHER_LETTER)
    assert says(receipt, keeping.NO_SUCH_BUT_ONE, name="autumn", tournaments=NAME)
    players.reply(asked, "yes")
    assert states(spring) == {"Ann": "entered"}


def test_what_a_player_wants_of_tournaments_is_rationed_as_a_stranger_s(players):
    PlayedTournament(players).announce()
    names = [f"spring{number}" for number in range(9)]
    letters = players.write("Ann", *(f"tournament new {name}" for name in names))
    # she has created the game and joined it, and one of the six is kept
    assert [letter.kind for letter in letters] == ["form"] * 3 + ["receipt"]
    assert says(one(letters, "Ann", "receipt"), stranger_mail.NO_ANSWERS_LEFT)


def test_a_deputy_enters_no_tournament_from_the_seat_s_address():
    entries = [entry for entry in tournament_commands.WISHES if entry.who & Who.DEPUTY]
    assert entries == []


@pytest.mark.parametrize(
    "header", [{"X_Spam_Flag": "YES"}, {"X_Auto_Response_Suppress": "All"}], ids=["spam", "hushed"]
)
def test_nobody_enters_by_an_email_that_is_spam_or_wants_no_answer(spring, header):
    mail = spring.people.mail(address("Bob"), ADDRESS, "enter spring as Bob", **header)
    assert spring.people.send(mail) == []
    assert states(spring) == {}


def test_who_directs_may_write_several_commands_of_which_each_sees_what_those_before_did(spring):
    spring.enter("Ann", "Bob", "Cat", "Dan", "Eve")
    told = spring.receipt(spring.direct("close", "entries", "seat"))
    assert spring.tournament.status == "closed" and spring.tournament.seated(1) is not None
    assert says(told, seating_rounds.PUBLISHED) and "Ann" in told
    told = spring.receipt(spring.direct("withdraw Eve because of an illness", "start"))
    why = tournament_director_commands.BEGINS
    assert says(told, effects.ALONE, word="start", why=why) and not spring.tournament.round


def test_what_who_directs_writes_is_done_as_a_whole_or_not_and_questions_are_answered(spring):
    spring.enter("Ann", "Bob")
    before = spring.tournament.last
    for wrong in ("exclude Zoe because of it", "exclud Ann because of it", "board 9.9"):
        told = spring.receipt(spring.direct("exclude Bob because of June", wrong, "entries"))
        done = wrong == "board 9.9"
        assert (states(spring)["Bob"] == "excluded") == done and "Ann" in told
        assert (spring.tournament.last == before) != done
