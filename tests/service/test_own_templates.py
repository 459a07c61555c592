"""A group's own templates are used for every letter, whoever gets it and whatever it is about."""

import pytest

from tests.service.players import GAME, OPERATOR, address, opened
from tests.service.test_faults import broken

OURS = "An email of the Dixie club"
NAMES = ("Ann", "Bob", "Cat")


@pytest.fixture
def club(tmp_path):
    """Players whose operator has own templates."""
    folder = tmp_path / "templates" / "mail"
    folder.mkdir(parents=True)
    for template in ("letter", "receipt", "turn", "news", "round", "ended"):
        (folder / f"{template}.txt.j2").write_text(f"{OURS}: {template}\n")
    found = opened(f"sqlite:///{tmp_path}/waybill.sqlite", templates=folder.parent)
    yield found
    found.store.close()


def ours(letters):
    """The kinds of the letters, all of which must be by the club's templates."""
    assert letters
    for letter in letters:
        assert letter.text.startswith(OURS), letter.kind
    return {letter.kind for letter in letters}


def test_before_a_game_begins(club):
    kinds = ours(club.stranger(address("Ann"), f"create 18AL {GAME}"))
    for name in NAMES:
        asked = club.stranger(address(name), f"join {GAME} as {name}")
        kinds |= ours(asked)
        kinds |= ours(club.reply(asked[0], "yes"))
    kinds |= ours(club.stranger("zoe@example.org", "games"))
    kinds |= ours(club.stranger("zed@example.org", f"status {GAME}"))
    kinds |= ours(club.stranger("zia@example.org", "what is this?"))
    assert {"created", "confirm", "welcome"} <= kinds and not {"fault", "sorry"} & kinds


@pytest.mark.long
def test_while_a_game_is_played(club):
    letters = ours(club.begin())
    letters |= ours(club.write("Ann", "buy TR", "say: hello"))
    letters |= ours(club.write("Bob", "frobnicate"))
    forged = club.mail("mallory@example.org", club.seat_address(GAME, "Bob"), "pass")
    letters |= ours(club.send(forged))
    letters |= ours(club.write("Bob", "new token"))
    assert {"welcome", "turn", "receipt", "news", "foreign", "away"} <= letters


@pytest.mark.long
def test_what_the_operator_reads(club):
    club.begin()
    kinds = ours(club.send(broken(club, 1)))
    assert kinds == {"sorry", "fault"}
    assert [letter.to for letter in club.letters if letter.kind == "fault"] == [OPERATOR]
