"""Whose mail is it: tokens that prove a seat, and everything that must not."""

import pytest

from service.mail.identity import (
    LOCAL_PART_LIMIT,
    Claim,
    claims,
    match,
    message_id,
    one_time,
    proves,
    read_address,
    read_message_id,
    seat_address,
    seat_token,
    slug,
    verify,
)
from service.mail.message import Mail

SECRET = b"0123456789abcdef0123456789abcdef"
BOX = "play@example.test"
ADDRESS = seat_address(BOX, SECRET, "dixie7", "Carol", 1)


def test_an_address_brings_back_its_claim_in_any_case():
    claim = read_address(ADDRESS.upper(), BOX)
    assert claim == Claim("dixie7", "carol", seat_token(SECRET, "dixie7", "Carol", 1))
    assert verify(SECRET, claim, "Carol", 1)
    assert ADDRESS.startswith("play+dixie7.carol.")


def test_the_token_is_eighty_bits_of_lower_case():
    token = seat_token(SECRET, "dixie7", "Carol", 1)
    assert len(token) == 16
    assert set(token) <= set("abcdefghijklmnopqrstuvwxyz234567")


@pytest.mark.parametrize(
    ("secret", "game", "seat", "epoch"),
    [
        (SECRET, "dixie7", "Carol", 2),
        (SECRET, "dixie7", "Bob", 1),
        (SECRET, "dixie8", "Carol", 1),
        (SECRET[::-1], "dixie7", "Carol", 1),
        (SECRET, "dixie", "7Carol", 1),
    ],
    ids=["newer epoch", "other seat", "other game", "other secret", "shifted letters"],
)
def test_a_token_proves_one_seat_in_one_game_at_one_epoch(secret, game, seat, epoch):
    token = seat_token(SECRET, "dixie7", "Carol", 1)
    assert not verify(secret, Claim(slug(game), slug(seat), token), seat, epoch)


@pytest.mark.parametrize("place", range(16))
def test_a_token_with_one_letter_changed_proves_nothing(place):
    token = seat_token(SECRET, "dixie7", "Carol", 1)
    other = "a" if token[place] != "a" else "b"
    forged = Claim("dixie7", "carol", token[:place] + other + token[place + 1 :])
    assert match(SECRET, forged, {"Carol": 1}) is None


@pytest.mark.parametrize(
    "address",
    [
        "play@example.test",
        "play+dixie7.carol@example.test",
        "play+dixie7.carol.short@example.test",
        ADDRESS.replace("example.test", "evil.test"),
        ADDRESS.replace("example.test", "exampleXtest"),
        ADDRESS.replace("play+", "plays+"),
        ADDRESS + ".evil.test",
        f"Carol <{ADDRESS}>",
        f'"{ADDRESS}" <eve@evil.test>',
    ],
)
def test_what_is_not_exactly_a_seat_address_claims_nothing(address):
    assert read_address(address, BOX) is None


def test_a_slug_is_plain_and_never_empty():
    assert slug("Jörg Ö. Strauß") == "jorg-o-strauss"
    assert slug("李") == "x"
    assert slug("A very long name of a player") == "a-very-long-name"
    assert slug(slug("Jörg Ö.")) == slug("Jörg Ö.")


def test_seats_with_one_slug_are_told_apart_by_their_tokens():
    seats = {"Jörg": 1, "Jorg": 1, "李": 3, "王": 4}
    for seat, epoch in seats.items():
        claim = read_address(seat_address(BOX, SECRET, "dixie7", seat, epoch), BOX)
        assert match(SECRET, claim, seats) == seat


def test_a_message_id_carries_the_claim_for_mailboxes_without_plus():
    identifier = message_id(BOX, SECRET, "dixie7", "Carol", 1, "s212")
    claim = read_message_id(identifier, BOX)
    assert match(SECRET, claim, {"Bob": 1, "Carol": 1}) == "Carol"
    assert identifier == message_id(BOX, SECRET, "dixie7", "Carol", 1, "s212")
    assert identifier != message_id(BOX, SECRET, "dixie7", "Carol", 1, "s213")
    assert read_message_id(identifier.replace("example.test", "evil.test"), BOX) is None
    assert read_message_id("<abc@example.test>", BOX) is None


def test_claims_come_from_addresses_first_and_else_from_the_newest_reference():
    old = message_id(BOX, SECRET, "dixie6", "Carol", 1, "1")
    new = message_id(BOX, SECRET, "dixie7", "Carol", 1, "2")
    answer = Mail(recipients=(BOX,), in_reply_to="<x@y.test>", references=(old, "<z@y.test>", new))
    assert [claim.game for claim in claims(answer, BOX)] == ["dixie7", "dixie6"]
    addressed = Mail(recipients=(BOX, ADDRESS), references=(old,))
    assert claims(addressed, BOX) == (read_address(ADDRESS, BOX),)
    assert claims(addressed, "play@new.test") == ()
    assert claims(addressed, "play@new.test", BOX) == (read_address(ADDRESS, BOX),)
    assert claims(Mail(subject=ADDRESS, sender_name=ADDRESS, sender=ADDRESS), BOX) == ()


def test_an_address_never_outgrows_what_smtp_allows():
    long = seat_address(BOX, SECRET, "g" * 40, "s" * 40, 1)
    assert len(long.partition("@")[0]) <= LOCAL_PART_LIMIT
    with pytest.raises(ValueError, match="no seat address"):
        seat_address("a-mailbox-of-a-long-name@example.test", SECRET, "g" * 40, "s" * 40, 1)


def test_a_short_secret_is_refused():
    with pytest.raises(ValueError, match="fewer than 16"):
        seat_token(b"short", "dixie7", "Carol", 1)


def test_a_one_time_token_proves_its_purpose_address_and_parts_only():
    token = one_time(SECRET, "join", "Bob@x.test", "dixie7", 3)
    assert proves(SECRET, f" {token.upper()}\n", "join", "bob@X.test", "dixie7", 3)
    assert not proves(SECRET, token, "leave", "bob@x.test", "dixie7", 3)
    assert not proves(SECRET, token, "join", "eve@x.test", "dixie7", 3)
    assert not proves(SECRET, token, "join", "bob@x.test", "dixie7", 4)
    assert not proves(SECRET, token, "join", "bob@x.test", "dixie", "73")
    assert not proves(SECRET, "é", "join", "bob@x.test", "dixie7", 3)
