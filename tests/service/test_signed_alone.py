"""Signed emails that somebody else alters where nothing is signed, and sends to us."""

import re
from dataclasses import replace

import pytest

from service.desk.proving import owners, proof
from service.mail.evidence import evidence_of
from service.mail.message import read
from service.mail.proving import by_our_server
from tests.service.discoursed import HOST, notification
from tests.service.players import ADDRESS, address, one, says, to
from tests.service.providers import BY_NAME
from tests.service.signatures import COVERED, SHORT, Keys, signed
from tests.service.test_forged import OURS, SERVER, grade, mail, number_in, results, seat, trace
from tests.service.test_forum import come, known_keys, name_of, open_thread

#: what Gmail covers: neither Content-Type nor what is added
GMAIL = BY_NAME["Gmail"]


def first_of(first, *others):
    """All of them, of which only the first is tried in short runs."""
    return [first, *(pytest.param(one, marks=pytest.mark.long) for one in others)]


def to_a_friend(players, *lines, provider=GMAIL, **how):
    """A signed email of Ann's that is none of our business."""
    lines = lines or ("See you on Sunday.",)
    return provider.sign(players.mail(address("Ann"), "friend@else.test", *lines, **how))


def added(raw, *lines):
    """The email with these lines above all others, the last one on top."""
    return trace(raw, *lines)


# 1: any email becomes any command


@pytest.mark.parametrize("provider", first_of("iCloud", "Gmail", "Yandex"))
def test_no_signed_email_becomes_a_command_by_fields_above_the_signed_ones(players, provider):
    grade(players, "standard", keys=Keys())
    raw = to_a_friend(players, provider=BY_NAME[provider])
    players.send(
        added(
            raw,
            "Content-Type: multipart/mixed; boundary=nope",
            "Message-ID: <new@else.test>",
            "Subject: now: buy TR",
            f"To: {ADDRESS}",
        )
    )
    assert players.texts() == []


@pytest.mark.long
def test_no_seat_moves_by_an_email_to_somebody_else(players):
    grade(players, "standard", keys=Keys())
    raw = to_a_friend(players, provider=BY_NAME["iCloud"])
    players.send(
        added(
            raw,
            "Content-Type: multipart/mixed; boundary=nope",
            "Subject: now: address mallory@else.test",
            f"To: {ADDRESS}",
        )
    )
    assert not [letter for letter in players.letters if letter.to == "mallory@else.test"]


# 2: twice, or for somebody else


@pytest.mark.parametrize("name", first_of("Yahoo", "Gmail", "GMX"))
def test_a_signed_email_acts_once_under_whatever_message_id(players, name):
    grade(players, "standard", keys=Keys())
    raw = BY_NAME[name].sign(players.mail(address("Ann"), ADDRESS, "say: hello"))
    assert to(players.send(raw), "Bob") == ["news"]
    other = re.sub(rb"Message-ID: [^\r]*", b"Message-ID: <new@else.test>", raw)
    for again in (added(raw, "Message-ID: <new@else.test>"), other):
        assert again != raw
        assert to(players.send(again), "Bob") == []


@pytest.mark.long
def test_an_email_that_a_token_proved_acts_no_second_time_by_its_signature(players):
    """The first copy needed no signature; the second has another Message-ID, which is not signed."""
    grade(players, "standard", keys=Keys())
    raw = BY_NAME["Yahoo"].sign(mail(players, "say: hello"))
    assert to(players.send(raw), "Bob") == ["news"]
    grade(players, "tournament", keys=Keys())
    other = re.sub(rb"Message-ID: [^\r]*", b"Message-ID: <new@else.test>", raw)
    assert players.send(other) == []


@pytest.mark.long
def test_a_copy_under_another_message_id_is_not_done_by_a_yes(players):
    grade(players, "tournament", keys=Keys())
    raw = BY_NAME["Yahoo"].sign(mail(players, "say: hello"))
    bare = re.sub(rb"^DKIM-Signature:.*?\r\n(?=\S)", b"", raw, flags=re.S)
    told = one(players.send(bare), "Ann", "foreign")
    other = re.sub(rb"Message-ID: [^\r]*", b"Message-ID: <new@else.test>", raw)
    assert to(players.send(other), "Bob") == ["news"]
    letters = players.write("Ann", f"yes {number_in(told)}")
    assert to(letters, "Bob") == []


@pytest.mark.parametrize("field", first_of("Cc", "To", "Delivered-To", "X-Original-To"))
def test_an_email_to_somebody_else_is_not_for_us_by_an_unsigned_recipient(players, field):
    grade(players, "standard", keys=Keys())
    raw = to_a_friend(players, "buy TR", provider=BY_NAME["iCloud"])
    players.send(added(raw, f"{field}: {ADDRESS}"))
    assert players.texts() == []


@pytest.mark.long
def test_what_is_not_signed_never_names_the_game(players):
    """Ann's email is for us, but nobody may say in her name for which of her games."""
    grade(players, "standard", keys=Keys())
    raw = GMAIL.sign(players.mail(address("Ann"), ADDRESS, "buy TR"))
    old = seat(players, "Ann")
    players.write("Ann", "new token")
    players.send(added(raw, f"Delivered-To: {old}"))
    assert players.texts() == []
    players.send(raw.replace(b"X-", b"Y-"))
    assert players.texts() == ["buy TR"]


# 3: a worthless signature beside the one that our server found good


WORTHLESS = (b"from", b"to", b"cc", b"date", b"subject", b"message-id", b"content-type")


@pytest.mark.parametrize("mark", first_of("", " header.b={}", " header.s=s1"))
def test_a_worthless_signature_adds_nothing_to_a_good_one(players, mark):
    grade(players, "standard")
    good = signed(players.mail(address("Ann"), ADDRESS, "buy TR"), covered=(b"from", b"date"))
    told = mark.format(signature_of(good)[:8])
    forged = signed(good, covered=WORTHLESS, key=SHORT)
    players.send(trace(forged, results(f"{SERVER}; dkim=pass header.d=players.test{told}")))
    assert players.texts() == []


def blanks(raw):
    """The email with so many blanks in its signature that it is not read; they are not signed."""
    return raw.replace(b"DKIM-Signature: v=1;", b"DKIM-Signature: v=1;" + b" " * 9000, 1)


def below(raw):
    """The email with a signature that is no list of tags, in the place of the good one."""
    return raw.replace(b"DKIM-Signature: v=1;", b"DKIM-Signature: v=1; v=1;", 1)


@pytest.mark.parametrize("hidden", first_of(blanks, below))
def test_a_signature_that_is_not_read_lends_its_result_to_no_other(players, hidden):
    grade(players, "standard")
    good = signed(players.mail(address("Ann"), ADDRESS, "buy TR"), covered=(b"from", b"date"))
    forged = signed(hidden(good), covered=WORTHLESS, key=SHORT)
    players.send(trace(forged, results(f"{SERVER}; dkim=pass header.d=players.test")))
    assert players.texts() == []


def test_a_result_about_an_agent_is_not_about_a_domain_of_that_name():
    """By `i=` alone nobody knows which of two signatures a server means (RFC 8601 §2.7.1)."""
    told = results(f"{SERVER}; dkim=pass header.i=@sub.players.test")
    tags = "v=1; a=rsa-sha256; s=s1; h=from:to:date; bh=AA==; b=AA==; d="
    raw = (
        f"{told}\r\nDKIM-Signature: {tags}sub.players.test\r\n"
        f"DKIM-Signature: {tags}players.test; i=@sub.players.test\r\n"
        "From: ann@sub.players.test\r\n\r\nhi\r\n"
    )
    found = evidence_of(raw.encode())
    word = by_our_server(found, "ann@sub.players.test", found.signatures, SERVER, ADDRESS)
    assert word.holding == ()
    [verdict] = found.results[0].verdicts
    assert verdict.about(found.signatures[1])


def signature_of(raw):
    return read(raw).evidence.signatures[0].mark


@pytest.mark.long
def test_a_result_counts_for_the_signature_that_it_is_about(players):
    grade(players, "standard")
    good = signed(players.mail(address("Ann"), ADDRESS, "buy TR"), key=SHORT)
    mark = signature_of(good)[:8]
    both = signed(good, covered=(b"from", b"date"), key=SHORT)
    about = f'{SERVER}; dkim=pass (2048-bit key; x) header.d=players.test header.b="{mark}"'
    players.send(
        trace(both, results(f"{about}; dkim=fail header.d=players.test header.b=AAAAAAAA"))
    )
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_a_result_that_another_denies_counts_for_nothing(players):
    grade(players, "standard")
    raw = signed(players.mail(address("Ann"), ADDRESS, "buy TR"), key=SHORT)
    told = "dkim=fail header.d=players.test; dkim=pass header.d=players.test"
    players.send(trace(raw, results(f"{SERVER}; {told}")))
    assert players.texts() == []


def test_dmarc_by_spf_alone_proves_no_byte(players):
    grade(players, "tournament")
    told = f"{SERVER}; spf=pass smtp.mailfrom=players.test; dmarc=pass header.from=players.test"
    players.send(trace(mail(players, "buy TR"), results(told)))
    assert players.texts() == []
    players.send(trace(signed(mail(players, "buy TR"), key=SHORT), results(told)))
    assert players.texts() == [], "nobody has checked its signature"


# 4: a tournament asks to whom it went


@pytest.mark.long
def test_an_email_to_somebody_else_completes_no_tournament(players):
    grade(players, "tournament", keys=Keys())
    raw = to_a_friend(players, "buy TR")
    players.send(added(raw, f"Delivered-To: {seat(players, 'Ann')}"))
    assert players.texts() == []


def test_a_tournament_s_token_must_be_signed_too(players):
    grade(players, "tournament", keys=Keys())
    raw = GMAIL.sign(players.mail(address("Ann"), ADDRESS, "buy TR"))
    told = one(players.send(added(raw, f"Delivered-To: {seat(players, 'Ann')}")), "Ann", "foreign")
    assert players.texts() == []
    assert says(told, owners.SIGNATURE_FAILS, why=proof.SEAT_NOT_COVERED)


def test_where_to_is_not_signed_a_yes_or_a_phrase_completes_a_tournament(players):
    grade(players, "tournament", keys=Keys())
    told = one(players.send(BY_NAME["Microsoft"].sign(mail(players, "buy TR"))), "Ann", "foreign")
    assert players.texts() == []
    assert says(told, owners.SIGNATURE_FAILS, why=proof.TO_NOT_COVERED)
    players.reply(told, f"yes {number_in(told)}")
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_a_reply_is_proved_by_each_provider_that_signs_to(players):
    grade(players, "tournament", keys=Keys())
    for number, name in enumerate(("Gmail", "Yahoo", "iCloud", "GMX", "Proton", "T-Online")):
        raw = players.mail(
            address("Ann"), seat(players, "Ann"), f"say: {number}", answers=players.latest("Ann")
        )
        assert to(players.send(BY_NAME[name].sign(raw)), "Bob") == ["news"], name


# 5: a From that only one of two readers sees


@pytest.mark.parametrize(
    "line",
    first_of(
        "X-One: a\rFrom: Ann <ann@players.test>",
        "X-One: a\r\r\nFrom: Ann <ann@players.test>",
        "Fr\0om: Ann <ann@players.test>",
        "X-One: a\r\n \r\n\tb",
    ),
)
@pytest.mark.parametrize("by", first_of("keys", "server"))
def test_headers_that_read_in_two_ways_have_no_signature(players, line, by):
    grade(players, "tournament", keys=Keys() if by == "keys" else None)
    raw = mail(players, "buy TR", sender="mallory@players.test")
    raw = signed(raw.replace(b"From: Mallory", b"From: M"))
    players.send(trace(trace(raw, line), results(OURS)))
    assert players.texts() == []


# 6: forums


@pytest.fixture
def thread(players):
    """A game with a thread on a forum that signs its mails; Ann is known there as ann18."""
    players.service = players.office.service = replace(players.service, keys=known_keys())
    open_thread(players)
    name_of(players, "Ann", "ann18")
    return players


def by_forum(raw, covered=COVERED):
    return signed(raw, domain=HOST, covered=covered)


@pytest.mark.long
def test_one_s_own_notification_is_not_for_us_by_an_unsigned_recipient(thread):
    copy = notification("ann18", "!buy TR", number=800, to="mallory@else.test")
    covered = tuple(name for name in COVERED if name != b"cc")
    thread.send(trace(by_forum(copy, covered), f"Cc: {ADDRESS}"))
    assert thread.texts() == []


def test_a_post_with_lines_of_mime_is_no_post_of_somebody_else(thread):
    place = f"https://{HOST}/t/dixie7-a-game/41"
    post = (
        "--nope",
        "Content-Type: text/html",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        f"<a href='https://{HOST}/u/ann18'>ann18</a>",
        f"<a href='{place}/3'>Visit Topic</a>",
        "--nope",
        "Content-Type: text/plain",
        "",
        "!buy TR",
        "--nope--",
    )
    raw = notification("mallory", *post, number=801)
    covered = tuple(name for name in COVERED if name not in (b"content-type",))
    raw = by_forum(raw, covered)
    forged = re.sub(rb"boundary=\"[^\"]*\"", b"boundary=nope", raw, count=1)
    assert read(forged).forum.writer == "ann18"
    thread.send(forged)
    assert thread.texts() == []
    thread.send(trace(raw, "Content-Type: multipart/mixed; boundary=nope"))
    assert thread.texts() == []


@pytest.mark.long
def test_a_forum_s_post_counts_without_a_signed_content_type(thread):
    covered = tuple(name for name in COVERED if name != b"content-type")
    thread.send(by_forum(notification("ann18", "!buy TR", number=802), covered))
    assert thread.texts() == ["buy TR"]


@pytest.mark.long
def test_a_thread_leaves_its_game_once_for_each_post(thread):
    raw = by_forum(notification("zoe", "!forum off", number=805))
    thread.send(raw)
    assert thread.table().forum is None
    open_thread(thread)
    thread.send(trace(raw, "Received: from a.test by b.test; Sat, 21 Nov 2026 10:00:00 +0000"))
    assert thread.table().forum is not None


@pytest.mark.long
def test_a_forum_s_post_comes_once_under_whatever_message_id(thread):
    covered = tuple(name for name in COVERED if name != b"message-id")
    raw = by_forum(notification("ann18", "!say: hello", number=803), covered)
    assert thread.send(raw)
    assert thread.send(re.sub(rb"Message-ID: [^\r]*", b"Message-ID: <new@x.test>", raw)) == []


@pytest.mark.long
def test_blanks_that_are_not_signed_make_no_code_a_command(thread):
    come(thread, "So:", "", " !buy TR")
    assert thread.texts() == []


@pytest.mark.long
def test_a_refusal_needs_a_signature_over_its_subject(thread):
    raw = notification("zoe", "hello", number=804)
    bare = re.sub(rb"List-Archive: .*\n", b"", raw)
    covered = tuple(name for name in COVERED if name != b"subject")
    thread.send(trace(by_forum(bare, covered), "Subject: Email issue -- Posting error"))
    assert thread.table().forum is not None


# 7: comments in our own server's results


@pytest.mark.parametrize(
    "told",
    first_of(
        "spf=none (mx: domain of {}) smtp.mailfrom={}",
        'spf=none (mx: domain of "{}"@else.test) smtp.mailfrom="{}"@else.test',
        "spf=none (mx: domain of {}",
        "spf=none (mx: domain of {}); dkim=fail header.d=players.test",
    ),
)
def test_words_of_a_stranger_in_our_server_s_comment_end_no_comment(players, told):
    grade(players, "tournament")
    raw = signed(mail(players, "buy TR"), key=SHORT)
    words = f"a) ; dkim=pass header.d=players.test header.b={signature_of(raw)[:8]} (b"
    players.send(trace(raw, results(f"{SERVER}; {told.format(words, words)}")))
    assert players.texts() == []


@pytest.mark.long
def test_a_field_of_our_server_that_is_not_well_formed_is_none(players):
    """Then the signature is checked here, as if our server had said nothing."""
    keys = Keys()
    grade(players, "tournament", keys=keys)
    broken = f"{SERVER}; dkim=fail header.d=players.test (no end"
    players.send(trace(signed(mail(players, "buy TR")), results(broken)))
    assert players.texts() == ["buy TR"]
    assert keys.asked
