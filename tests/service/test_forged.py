"""Mails that somebody else wrote in a player's name: nothing of them is done below the grade."""

import re
from dataclasses import replace

import dkim
import pytest
from msgspec import json, structs

from service.desk.proving import held, owners
from service.desk.strangers import wrong_address
from service.games import retreat
from service.mail import identity
from service.mail.message import read
from service.mail.parts import skim
from service.mail.signing_keys import Keys as LookedUp
from tests.service.players import ADDRESS, GAME, OPERATOR, address, flat, one, says, to
from tests.service.signatures import KEY, NAME, RECORD, SHORT, SHORT_RECORD, Keys, signed

SERVER = "mx.waybill.test"
OURS = f"{SERVER}; dkim=pass header.d=players.test; dmarc=pass header.from=players.test"


def grade(players, name, keys=None, server=SERVER):
    """Let the game ask for a grade of proof, and the house know its server and keys."""
    table = players.table()
    settings = structs.replace(table.settings, grade=name)
    with players.store.transaction() as tx:
        tx.games.set_settings(table.row.id, json.encode(settings))
    players.service = players.office.service = replace(players.service, server=server, keys=keys)


def trace(raw, *headers):
    """The mail with header lines on top, the last one topmost, as servers put them there."""
    for header in headers:
        raw = header.encode() + b"\r\n" + raw
    return raw


def results(text):
    return f"Authentication-Results: {text}"


def unsound(raw):
    """The mail with a signature that its key does not prove: only our server's word could count."""
    return signed(raw, key=SHORT)


def mail(players, *lines, sender="", to="", **how):
    return players.mail(
        sender or address("Ann"), to or players.seat_address(GAME, "Ann"), *lines, **how
    )


def number_in(letter):
    return flat(letter).split("`yes ")[1].split("`")[0]


# what each grade asks for


def test_friendly_takes_the_address_or_the_token(players):
    grade(players, "friendly")
    players.send(mail(players, "buy TR", sender="ann@work.test"))
    assert players.texts() == ["buy TR"]
    players.stranger(address("Bob"), "pass")
    assert len(players.texts()) == 2


@pytest.mark.long
def test_standard_takes_address_and_token(players):
    grade(players, "standard")
    players.send(mail(players, "buy TR"))
    assert players.texts() == ["buy TR"]


@pytest.mark.long
@pytest.mark.parametrize("how", ["server", "signature"])
def test_standard_takes_the_address_with_a_signature_in_the_place_of_the_token(players, how):
    grade(players, "standard", keys=Keys())
    raw = signed(players.mail(address("Ann"), ADDRESS, "buy TR"))
    players.send(trace(raw, results(OURS)) if how == "server" else raw)
    assert players.texts() == ["buy TR"]


def test_a_signed_mail_that_was_written_to_others_cannot_be_sent_on_to_us(players):
    grade(players, "standard", keys=Keys())
    for raw in (
        signed(players.mail(address("Ann"), address("Bob"), "buy TR")),
        signed(players.mail(address("Ann"), ADDRESS, "buy TR"), covered=(b"from", b"subject")),
    ):
        players.send(trace(raw, f"Delivered-To: {ADDRESS}"))
        assert players.texts() == []


@pytest.mark.long
def test_tournament_takes_all_three(players):
    grade(players, "tournament", keys=Keys())
    players.send(mail(players, "buy TR"))
    assert players.texts() == [], "nobody vouches for the sender"
    players.send(players.mail(address("Ann"), ADDRESS, "buy TR"))
    assert players.texts() == [], "no token"
    players.send(trace(unsound(mail(players, "buy TR")), results(OURS)))
    assert players.texts() == ["buy TR"]
    players.send(signed(mail(players, "pass", sender=address("Bob"), to=seat(players, "Bob"))))
    assert len(players.texts()) == 2


def with_a_photo(raw):
    """The mail with a photo beside its text, and the same as it is fetched: the photo left out."""
    head, _, text = re.sub(rb"\r?\n", b"\r\n", raw).partition(b"\r\n\r\n")
    head = re.sub(rb"(?im)^content-[^\r]*\r\n", b"", head)
    head += b'\r\nContent-Type: multipart/mixed; boundary="B"'
    mime = b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
    photo = b"--B\r\nContent-Type: image/png\r\n\r\niVBORw0KGgo=\r\n"
    whole = head + b"\r\n\r\n--B\r\n" + mime + text + b"\r\n" + photo + b"--B--\r\n"
    leaf = (b"text", b"plain", (b"charset", b"utf-8"), None, None, b"7bit", len(text), 1)
    image = (b"image", b"png", None, None, None, b"base64", 12)
    structure = ([leaf, image], b"mixed", (b"boundary", b"B"))
    pieces = {"1.MIME": mime, "1": text}
    signed_ = signed(whole)
    head = signed_.partition(b"\r\n\r\n")[0]
    return signed_, skim(structure, head, lambda section, octets: pieces[section][:octets])


@pytest.mark.long
def test_a_signature_that_cannot_be_checked_for_its_size_is_told_and_asked_about(players):
    grade(players, "tournament", keys=Keys())
    whole, fetched = with_a_photo(mail(players, "buy TR"))
    [told] = players.send(fetched)
    assert players.texts() == []
    assert says(told, owners.TOO_LARGE_TO_CHECK)
    players.reply(told, f"yes {number_in(told)}")
    assert players.texts() == ["buy TR"]
    # what our own server vouches for needs no more
    assert read(whole).lines == read(fetched).lines
    bobs = mail(players, "buy S&NA", sender=address("Bob"), to=seat(players, "Bob"))
    players.send(trace(with_a_photo(bobs)[1], results(OURS)))
    assert players.texts() == ["buy TR", "buy S&NA"]


def test_a_mail_with_a_photo_that_was_fetched_whole_is_proved_by_its_signature(players):
    grade(players, "tournament", keys=Keys())
    players.send(with_a_photo(mail(players, "buy TR"))[0])
    assert players.texts() == ["buy TR"]


def seat(players, name):
    return players.seat_address(GAME, name)


# the list of forgeries: what comes in, in which grade


def other_from(players):
    return mail(players, "buy TR", sender="mallory@else.test")


def stolen_old_token(players):
    old, row = seat(players, "Ann"), players.table().seat("Ann")
    with players.store.transaction() as tx:
        assert tx.seats.renew(row.id, row.epoch)
    return mail(players, "buy TR", to=old)


def token_of_another_seat(players):
    return mail(players, "buy TR", to=seat(players, "Bob"))


def token_of_another_game(players):
    return mail(players, "buy TR", to=players.seat_address("elsewhere", "Ann"))


def display_name_as_address(players):
    raw = mail(players, "buy TR", sender="mallory@else.test")
    return raw.replace(b"Mallory <", f'"{address("Ann")}" <'.encode(), 1)


def address_in_a_comment(players):
    raw = mail(players, "buy TR", sender="mallory@else.test")
    return raw.replace(b"<mallory@", f"({address('Ann')}) <mallory@".encode(), 1)


def two_from_lines(players):
    return trace(mail(players, "buy TR", sender="mallory@else.test"), f"From: {address('Ann')}")


def two_senders_in_a_line(players):
    raw = mail(players, "buy TR", sender="mallory@else.test")
    return raw.replace(b"From: ", f"From: {address('Ann')}, ".encode(), 1)


def through_a_list(players):
    raw = mail(players, "buy TR", to="dixie@lists.test", answers=players.latest("Ann"))
    return trace(raw, "List-Id: <dixie.lists.test>", "Precedence: list")


def a_list_that_rewrites_from(players):
    raw = mail(players, "buy TR", sender="dixie@lists.test")
    return raw.replace(b"Dixie <", b"Ann via Dixie <", 1)


STANDARD = (
    other_from,
    stolen_old_token,
    token_of_another_seat,
    token_of_another_game,
    display_name_as_address,
    address_in_a_comment,
    two_from_lines,
    two_senders_in_a_line,
    through_a_list,
    a_list_that_rewrites_from,
)


def quick_are(quick, every):
    """All of them, of which these few are tried in short runs, too."""
    long = pytest.mark.long
    return [
        pytest.param(one, marks=() if one in quick else long, id=getattr(one, "__name__", None))
        for one in every
    ]


#: one of each kind that needs no signature
PLAIN = (
    other_from,
    stolen_old_token,
    token_of_another_seat,
    display_name_as_address,
    two_from_lines,
    through_a_list,
)


@pytest.mark.parametrize("forged", quick_are(PLAIN, STANDARD))
def test_nothing_is_done_below_the_standard(players, forged):
    grade(players, "standard", keys=Keys())
    players.send(forged(players))
    assert players.texts() == []


def header_of_a_foreign_server(players):
    text = OURS.replace(SERVER, "mx.else.test")
    return trace(unsound(mail(players, "buy TR")), results(text))


def header_that_only_ends_like_ours(players):
    return trace(unsound(mail(players, "buy TR")), results(OURS.replace(SERVER, f"x-{SERVER}")))


def our_name_in_a_comment(players):
    return trace(unsound(mail(players, "buy TR")), results(f"mx.else.test ({OURS}); dmarc=pass"))


def ours_below_a_server_of_others(players):
    raw = trace(unsound(mail(players, "buy TR")), results(OURS))
    return trace(raw, "Received: from a.test by mx.else.test; Sat, 21 Nov 2026 10:00:00 +0000")


def ours_below_our_own_that_says_otherwise(players):
    forged = results(OURS)
    return trace(
        signed(mail(players, "buy TR")), forged, results(f"{SERVER}; dmarc=fail; dkim=none")
    )


def ours_about_another_domain(players):
    return trace(unsound(mail(players, "buy TR")), results(OURS.replace("players", "else")))


def a_result_that_is_no_pass(players):
    return trace(unsound(mail(players, "buy TR")), results(OURS.replace("pass", "softfail")))


def ours_far_below_a_server_of_others(players):
    raw = trace(unsound(mail(players, "buy TR")), results(OURS))
    raw = trace(raw, *[f"Received: by {SERVER}; Sat, 21 Nov 2026 10:00:00 +0000"] * 9)
    return trace(raw, "Received: from a.test by mx.else.test; Sat, 21 Nov 2026 10:00:00 +0000")


def pass_in_the_quoted_reason_of_a_failure(players):
    text = f'{SERVER}; dmarc=fail reason="; dmarc=pass header.from=players.test"'
    return trace(unsound(mail(players, "buy TR")), results(text))


def a_signature_of_another_domain(players):
    return signed(mail(players, "buy TR"), domain="else.test")


def a_signature_of_a_domain_below(players):
    return signed(mail(players, "buy TR"), domain="mallory.players.test")


def a_signature_of_the_whole_top_level(players):
    return signed(mail(players, "buy TR"), domain="test")


def a_short_signature(players):
    return signed(mail(players, "status"), short=True).rstrip() + b"\r\nbuy TR\r\n"


def a_short_signature_that_our_server_lets_pass(players):
    return trace(a_short_signature(players), results(OURS))


def an_expired_signature(players):
    return signed(mail(players, "buy TR"), until=players.now - 1)


def an_expired_signature_that_our_server_let_pass_before(players):
    return trace(an_expired_signature(players), results(OURS))


def an_unsigned_from(players):
    raw = signed(mail(players, "buy TR", sender="mallory@players.test"))
    return raw.replace(b"h=from : ", b"h=", 1).replace(b"mallory@players", b"ann@players")


def a_signed_from_and_another(players):
    raw = signed(mail(players, "buy TR", sender="mallory@players.test"))
    return trace(raw, f"From: Ann <{address('Ann')}>")


def the_same_from_twice_under_our_pass(players):
    return trace(mail(players, "buy TR"), f"From: Ann <{address('Ann')}>", results(OURS))


def altered_words(players):
    return signed(mail(players, "pass")).replace(b"pass", b"buy TR")


def an_altered_recipient(players):
    raw = signed(mail(players, "buy TR", to=seat(players, "Bob")))
    return raw.replace(seat(players, "Bob").encode(), seat(players, "Ann").encode())


def a_key_that_is_too_short(players):
    players.service.keys.records[NAME] = SHORT_RECORD
    return signed(mail(players, "buy TR"), key=SHORT)


def a_signature_by_sha1(players):
    raw = mail(players, "buy TR")
    made = dkim.sign(raw, b"s1", b"players.test", KEY, signature_algorithm=b"rsa-sha1")
    return made + raw


def a_key_of_nobody(players):
    players.service.keys.records.clear()
    return signed(mail(players, "buy TR"))


TOURNAMENT = (
    *STANDARD,
    header_of_a_foreign_server,
    header_that_only_ends_like_ours,
    our_name_in_a_comment,
    ours_below_a_server_of_others,
    ours_far_below_a_server_of_others,
    ours_below_our_own_that_says_otherwise,
    ours_about_another_domain,
    a_result_that_is_no_pass,
    pass_in_the_quoted_reason_of_a_failure,
    a_signature_of_another_domain,
    a_signature_of_a_domain_below,
    a_signature_of_the_whole_top_level,
    a_short_signature,
    a_short_signature_that_our_server_lets_pass,
    an_expired_signature,
    an_expired_signature_that_our_server_let_pass_before,
    an_unsigned_from,
    a_signed_from_and_another,
    the_same_from_twice_under_our_pass,
    altered_words,
    an_altered_recipient,
    a_key_that_is_too_short,
    a_signature_by_sha1,
    a_key_of_nobody,
)


#: one of each kind that is about signatures, and what servers say of them
SIGNED = (
    header_of_a_foreign_server,
    ours_far_below_a_server_of_others,
    a_short_signature,
    an_expired_signature,
)


@pytest.mark.parametrize("forged", quick_are(SIGNED, TOURNAMENT))
def test_nothing_is_done_below_the_grade_of_a_tournament(players, forged):
    others = {f"s1._domainkey.{name}": RECORD for name in ("else.test", "mallory.players.test")}
    grade(players, "tournament", keys=Keys(**others))
    players.send(forged(players))
    assert players.texts() == []


def test_what_is_forged_there_would_be_done_if_it_were_true(players):
    """The other side: the same mail, signed whole by the right domain and not yet expired."""
    grade(players, "tournament", keys=Keys())
    players.send(signed(mail(players, "buy TR"), until=players.now + 60))
    assert players.texts() == ["buy TR"]


def test_a_signature_by_its_whole_length_covers_all(players):
    grade(players, "tournament", keys=Keys())
    players.send(signed(mail(players, "buy TR"), short=True))
    assert players.texts() == ["buy TR"]


def test_a_replayed_mail_is_one_mail(players):
    grade(players, "tournament", keys=Keys())
    raw = signed(mail(players, "say: hello"))
    assert to(players.send(raw), "Bob") == ["news"]
    again = trace(raw, "Received: from b.test by c.test; Sat, 21 Nov 2026 10:00:00 +0000")
    assert players.send(again) == []


@pytest.mark.long
def test_a_replayed_mail_with_another_number_answers_what_is_gone(players):
    grade(players, "standard")
    old = players.latest("Ann")
    players.reply(old, "buy TR")
    before = players.texts()
    players.reply(old, "buy TR")
    assert players.texts() == before


@pytest.mark.long
@pytest.mark.parametrize(
    "headers",
    [
        (f"Received: from a.test by {SERVER} (Postfix); Sat, 21 Nov 2026 10:00:00 +0000",),
        (
            f"Received: by {SERVER}; Sat, 21 Nov 2026 10:00:00 +0000",
            "Received: by 2002:a05:6402:1c0b:0:0:0:1 with SMTP id x; Sat, 21 Nov 2026 10:00 +0000",
            "Received: from mx1 by localhost; Sat, 21 Nov 2026 10:00:00 +0000",
        ),
    ],
)
def test_the_house_s_own_servers_may_stand_above_its_results(players, headers):
    grade(players, "tournament")
    players.send(trace(unsound(mail(players, "buy TR")), results(OURS), *headers))
    assert players.texts() == ["buy TR"]


def test_without_the_name_of_our_server_no_results_count(players):
    grade(players, "tournament", server="")
    players.send(trace(unsound(mail(players, "buy TR")), results(OURS)))
    assert players.texts() == []


@pytest.mark.long
def test_our_server_s_no_is_not_asked_again(players):
    keys = Keys()
    grade(players, "tournament", keys=keys)
    failed = results(f"{SERVER}; dkim=fail header.d=players.test")
    players.send(trace(unsound(mail(players, "buy TR")), failed))
    assert (players.texts(), keys.asked) == ([], [])


# keys that are looked up meanwhile


@pytest.mark.long
def test_a_mail_waits_for_its_key_and_the_others_do_not(players):
    keys = Keys(slow=True)
    grade(players, "tournament", keys=keys)
    players.send(signed(mail(players, "buy TR")))
    assert players.texts() == []
    [told] = players.stranger("zoe@else.test", "games")
    assert "GAMES" in told.text
    players.now += 3
    players.work()
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_a_key_that_nobody_has_is_missed_once(players):
    keys = Keys(slow=True)
    keys.records.clear()
    grade(players, "tournament", keys=keys)
    players.send(signed(mail(players, "buy TR")))
    players.now += 3
    letters = players.work()
    assert players.texts() == []
    assert says(one(letters, "Ann", "foreign"), owners.NO_SIGNATURE)


def test_names_are_looked_up_beside_all_other_work():
    found = LookedUp({NAME: RECORD}.get)
    assert found.known([NAME], 0) is None
    found._threads.submit(int).result()
    found._threads.shutdown()
    assert found.known([NAME], 1) == {NAME: RECORD}
    assert found.known([], 1) == {}


# the yes


@pytest.mark.long
def test_a_mail_below_the_grade_is_done_by_the_number_that_its_owner_got(players):
    grade(players, "tournament")
    letters = players.send(mail(players, "buy TR"))
    told = one(letters, "Ann", "foreign")
    assert to(letters, "Ann") == ["foreign"], "never two answers"
    assert "buy TR" in told.text
    letters = players.press(told, "Yes, it was me")
    assert players.texts() == ["buy TR"]
    assert to(letters, "Ann") == ["receipt"]
    assert to(letters, "Bob") == ["turn"]
    letters = players.press(told, "Yes, it was me")
    assert players.texts() == ["buy TR"]
    assert says(one(letters, "Ann"), held.DONE_ALREADY)


@pytest.mark.long
def test_a_mail_to_the_moderator_s_own_address_is_done_by_a_yes_too(players):
    grade(players, "standard")
    old = seat(players, "Ann")
    players.write("Ann", "new token")
    for there in (ADDRESS, old):
        players.now += 1800
        told = one(players.send(mail(players, "say: hello", to=there)), "Ann", "answer")
        assert says(told, wrong_address.YOU_PLAY)
        assert to(players.reply(told, f"yes {number_in(told)}"), "Bob") == ["news"]


@pytest.mark.long
def test_it_is_done_as_it_would_have_been_then(players):
    grade(players, "tournament")
    told = one(players.send(mail(players, "buy TR")), "Ann", "foreign")
    players.now += 60
    turn = players.latest("Ann")
    players.send(trace(unsound(mail(players, "bid NDY 125", to=turn.reply_to)), results(OURS)))
    players.now += 60
    before = players.texts()
    letters = players.write("Ann", f"yes {number_in(told)}")
    assert players.texts() == before
    assert says(one(letters, "Ann"), retreat.ANSWERS_EARLIER, answered=0)


@pytest.mark.long
def test_a_number_can_be_used_for_a_week(players):
    grade(players, "tournament")
    told = one(players.send(mail(players, "say: hi")), "Ann", "foreign")
    players.now += 7 * 86_400 + 1
    letters = players.write("Ann", f"yes {number_in(told)}")
    assert to(letters, "Bob") == []
    assert says(one(letters, "Ann"), held.COULD_BE_CONFIRMED)


@pytest.mark.long
def test_a_number_is_for_its_owner_alone_and_cannot_be_guessed(players):
    grade(players, "tournament")
    told = one(players.send(mail(players, "buy TR")), "Ann", "foreign")
    right = number_in(told)
    assert len(right) == 8
    players.write("Bob", f"yes {right}")
    players.write("Ann", f"yes {right}", sender="mallory@else.test")
    for guess in range(10):
        players.write("Ann", f"yes {guess:08}")
    players.now += 1
    players.write("Ann", f"yes {right}")
    assert players.texts() == [], "too many wrong ones were tried"
    players.now += 3_700
    players.write("Ann", f"yes {right}")
    assert players.texts() == ["buy TR"]


def test_a_copy_that_was_done_is_not_done_again_by_a_yes(players):
    grade(players, "tournament")
    raw = unsound(mail(players, "say: once"))
    told = one(players.send(raw), "Ann", "foreign")
    assert to(players.send(trace(raw, results(OURS))), "Bob") == ["news"]
    letters = players.write("Ann", f"yes {number_in(told)}")
    assert to(letters, "Bob") == []
    assert says(one(letters, "Ann"), held.DONE_ALREADY)


@pytest.mark.long
def test_a_copy_that_comes_after_the_yes_is_not_done_again(players):
    grade(players, "tournament")
    raw = unsound(mail(players, "say: once"))
    told = one(players.send(raw), "Ann", "foreign")
    assert to(players.write("Ann", f"yes {number_in(told)}"), "Bob") == ["news"]
    assert players.send(trace(raw, results(OURS))) == []


@pytest.mark.long
def test_an_organiser_starts_a_tournament_by_a_yes(newcomers):
    newcomers.service = newcomers.office.service = replace(newcomers.service, grade="tournament")
    [created] = newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    for name in ("Ann", "Bob", "Cat"):
        [asked] = newcomers.stranger(address(name), f"join {GAME} as {name}")
        newcomers.reply(asked, "yes")
    assert [s.status for s in newcomers.table().seats] == ["joined"] * 3, "a yes is proof enough"
    [told] = newcomers.reply(created, "start")
    assert newcomers.table().row.status == "open"
    newcomers.press(told, "Yes, it was me")
    assert newcomers.table().row.status == "running"


@pytest.mark.long
def test_a_flood_of_forgeries_brings_one_letter_and_tells_no_operator(players):
    grade(players, "standard")
    letters = [players.send(other_from(players)) for _ in range(5)]
    assert [to(some, "Ann") for some in letters] == [["foreign"], [], [], [], []]
    assert not [one for some in letters for one in some if one.to == OPERATOR]


def listed_in(letter):
    """What a letter about several mails lists: what each says, and its number."""
    return dict(re.findall(r"“([^”]*)”: `yes (\d+)`", flat(letter)))


def test_a_genuine_email_after_a_forged_one_is_told_within_ten_minutes(players):
    """And with it every other that came meanwhile, in one letter."""
    grade(players, "standard")
    plainly = lambda line: players.send(mail(players, line, to=ADDRESS))  # noqa: E731
    assert to(plainly("pass"), "Ann") == ["answer"], "forged"
    for line in ("buy TR", "say: one", "say: one", "say: two"):
        players.now += 60
        assert plainly(line) == []
    players.now += 600
    told = one(players.work(), "Ann", "held")
    assert set(listed_in(told)) == {"buy TR", "say: one", "say: two"}
    assert says(told, held.CAME_OFTEN, count=2, says="say: one")
    players.write("Ann", f"yes {listed_in(told)['buy TR']}")
    assert players.texts() == ["buy TR"]
    players.now += 3600
    assert players.work() == [], "each is told once"


def test_forged_emails_without_the_token_delay_none_with_it(players):
    grade(players, "tournament")
    for number in range(8):
        players.send(mail(players, f"say: {number}", to=ADDRESS))
    assert to(players.send(mail(players, "buy TR")), "Ann") == ["foreign"]
    for _ in range(12):
        players.write("Bob", "yes 00000001", sender=address("Bob"))
    assert to(players.send(mail(players, "buy S&NA")), "Ann") == ["foreign"]


@pytest.mark.long
def test_a_flood_in_a_player_s_name_is_told_in_few_letters_and_nothing_is_lost(players):
    """Twenty a letter, two letters an hour, the latest first."""
    grade(players, "standard")
    lines = [f"say: no {number}" for number in range(45)]
    for line in lines:
        players.send(mail(players, line, to=ADDRESS))
    said = []
    for _ in range(5):
        players.now += 1800
        said += [listed_in(one) for one in players.work() if one.kind == "held"]
    assert list(map(len, said)) == [20, 20, 4], "the first was told at once"
    assert lines[44] in said[0] and lines[1] in said[2]


def test_only_the_numbers_that_an_owner_was_told_are_good(players):
    """Else each of many forged emails would make it easier to guess one."""
    grade(players, "standard")
    ids = [players.arrive(mail(players, f"say: {n // 2}", to=ADDRESS)) for n in range(5)]
    players.work()
    codes = [identity.code(players.service.secret, "yes", address("Ann"), one) for one in ids]
    assert to(players.write("Ann", f"yes {codes[4]}"), "Bob") == [], "not told yet"
    players.now += 1800
    [told] = [one for one in players.work() if one.kind == "held"]
    good = [code for code in codes if to(players.write("Ann", f"yes {code}"), "Bob")]
    assert good == [codes[0], codes[1], codes[3], codes[4]]
    assert codes[0] not in flat(told) and codes[2] not in flat(told)


def test_wrong_numbers_of_who_proves_less_do_not_stop_who_proves_enough(players):
    grade(players, "tournament")
    told = one(players.send(mail(players, "buy TR")), "Ann", "foreign")
    for guess in range(11):
        players.write("Ann", f"yes {guess:08}")
    players.send(trace(unsound(mail(players, f"yes {number_in(told)}")), results(OURS)))
    assert players.texts() == ["buy TR"]


def test_a_signed_email_is_answered_though_others_used_its_address_up(players):
    players.service = players.office.service = replace(players.service, keys=Keys())
    zoe = "zoe@players.test"
    for _ in range(7):
        letters = players.stranger(zoe, "games")
    assert letters == []
    [told] = players.send(signed(players.mail(zoe, ADDRESS, "games")))
    assert (told.to, told.kind) == (zoe, "answer")
