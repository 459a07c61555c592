"""Players of the demonstration: how long they wait for a mail, and what they say when none comes."""

from email.message import EmailMessage

import pytest

from service.workshop.demo import troupe
from service.workshop.demo.troupe import Player, patience


class Office:
    """Mails come when it says so."""

    def __init__(self, *arriving: str) -> None:
        self.arriving, self.there = list(arriving), []

    def delivered(self, address):
        return list(self.there)

    def wait_for(self, address, count, timeout):
        if not self.arriving:
            raise TimeoutError(f"{len(self.there)} of {count} emails")
        mail = EmailMessage()
        mail["Subject"], mail["In-Reply-To"] = self.arriving.pop(0), "<a@b>"
        self.there.append(mail.as_bytes())


def test_a_player_waits_for_the_mail_that_is_wanted():
    ann = Player("Ann", "ann@x.test", Office("news", "[g] YOUR TURN: stock round"))
    assert ann.wait("YOUR TURN", 0)["Subject"] == "[g] YOUR TURN: stock round"
    assert ann.receipt("<a@b>", 0)["Subject"] == "news"


def test_who_gives_up_says_what_was_missed(monkeypatch):
    monkeypatch.setattr(troupe, "_PATIENCE", 0.0)
    ann = Player("Ann", "ann@x.test", Office())
    with pytest.raises(TimeoutError, match="Ann has waited 0 s for “the receipt of <c@d>”"):
        ann.receipt("<c@d>", 0)


@pytest.mark.parametrize(("load", "seconds"), [(0.1, 60.0), (2.0, 60.0), (9.0, 270.0)])
def test_patience_grows_with_what_the_machine_has_to_do(monkeypatch, load, seconds):
    monkeypatch.setattr(troupe.os, "getloadavg", lambda: (load, 0.0, 0.0))
    monkeypatch.setattr(troupe.os, "cpu_count", lambda: 2)
    assert patience() == seconds
