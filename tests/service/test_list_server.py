"""A game on real mailing lists behind Postfix: two players by the list, two by direct mail.

mlmmj leaves From as it is; Mailman 3 puts the list's address there, as for writers with DMARC.
"""

import asyncio
import re
import time
from collections import Counter
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

import engine
from service.app.office import Office
from service.app.relays import Relays
from service.audience import of_seat
from service.desk.channels import public_channel
from service.desk.service import Service
from service.desk.vocabulary.table import VOCABULARY
from service.games.games import load
from service.mail.maildir import MaildirMailbox
from service.mail.sender import SmtpSettings
from service.reports.letters import IS_OPEN_SUBJECT
from service.store import Store
from service.workshop.demo.troupe import game_name, mails_of
from service.workshop.practice.script import read, recorded
from tests.need import need
from tests.service import mailman, mlmmj
from tests.service.empty import with_tables
from tests.service.players import ADDRESS, PIXEL, SECRET, text_part
from tests.service.postfix import LIST, ListServer

pytestmark = pytest.mark.long
#: decisions of the recorded game that are played; Mailman takes seconds for each post
DECISIONS = {mlmmj.Mlmmj: 60, mailman.Mailman: 12}
BY_LIST = 2


@pytest.fixture(scope="module", params=(mlmmj, mailman), ids=("mlmmj", "mailman"))
def server(request):
    why = request.param.missing()
    need(not why, why)
    with request.param.running() as found:
        yield found


class OwnService:
    """The office over a Maildir and the real mail server."""

    def __init__(self, server: ListServer, tmp_path, grade="friendly"):
        url = f"sqlite:///{tmp_path}/waybill.sqlite"
        with_tables(url)
        self.store, self.server = Store(url), server
        self.service = Service(
            ADDRESS,
            "Waybill",
            SECRET,
            grade=grade,
            render=lambda svg, width: PIXEL,
            commands=VOCABULARY,
        )
        smtp = SmtpSettings("127.0.0.1", server.port, tls="none")
        mailbox = MaildirMailbox(server.maildir(ADDRESS))
        self.office = Office(self.store, self.service, (mailbox,), Relays.of(smtp))
        self.sent = 0

    def settle(self):
        """Work until no mail is under way, twice in a row."""
        quiet = 0
        end = time.monotonic() + 60
        while quiet < 2:
            assert time.monotonic() < end, self.server.log[-2000:]
            busy = bool(self.office.fetch())
            while self.office.moderate():
                busy = True
            while asyncio.run(self.office.send()):
                busy = True
            quiet = 0 if busy or not self.server.idle() else quiet + 1
            time.sleep(0.02)

    def write(self, name, to, *lines, subject="moves"):
        """A mail of a player; all that follows is delivered when it returns."""
        self.sent += 1
        mail = EmailMessage()
        mail["From"] = f"{name} <{name.lower()}@players.test>"
        mail["To"] = to
        mail["Subject"] = subject
        mail["Message-ID"] = f"<{self.sent}.{time.time_ns()}@players.test>"
        mail.set_content("\n".join(lines) + "\n")
        self.server.send(f"{name.lower()}@players.test", [to], mail.as_bytes())
        self.settle()
        return str(mail["Message-ID"])

    def seat(self, game, name):
        owner = of_seat(game, name)
        return self.service.seat_address(owner).open(owner)

    def mails(self, name):
        raws = self.server.delivered(f"{name.lower()}@players.test")
        return [message_from_bytes(raw, policy=policy.default) for raw in raws]

    def table(self, game):
        with self.store.transaction() as tx:
            return load(tx, game)


def reply_to(mails, wanted):
    [found] = [m for m in mails if re.search(wanted, str(m["Subject"]))][-1:]
    return str(found["Reply-To"])


def test_a_game_is_played_by_two_on_the_list_and_two_by_direct_mail(server, tmp_path):
    script = read(recorded("18al"))
    names = tuple(script.players)
    people = dict(zip(names, ("Ann", "Bob", "Cat", "Dan"), strict=False))
    title = engine.load_title(script.title, frozenset(script.variants))
    seats = [people[name] for name in names]
    game = game_name(SECRET, seats, title=title)
    service = OwnService(server, tmp_path)
    on_list = seats[:BY_LIST]
    organiser = seats[-1]
    server.subscribe(ADDRESS, f"{organiser.lower()}@players.test")
    server.subscribe(*(f"{name.lower()}@players.test" for name in on_list))

    variants = f" with {', '.join(script.variants)}" if script.variants else ""
    service.write(organiser, ADDRESS, f"create {script.title} {game} list={LIST}{variants}")
    created = service.mails(organiser)[-1]
    [line] = re.findall(r"!list [a-z2-7]{16}", " ".join(text_part(created).split()))
    assert service.table(game).mailing.status == "named"
    service.write(organiser, LIST, "Hello all, shall we?", line, subject="a game")
    assert service.table(game).mailing.status == "on"
    for name in seats:
        service.write(name, ADDRESS, f"join {game} as {name}")
        service.write(name, reply_to(service.mails(name), "yes"), "yes")
    service.write(organiser, str(created["Reply-To"]), "start")
    assert service.table(game).state.seats == tuple(seats)

    decisions = DECISIONS[type(server)]
    for one in mails_of(script)[:decisions]:
        name = people[one.seat]
        before = service.table(game).next_number
        if name in on_list:
            service.write(name, LIST, "My move:", *(f"!{text}" for text in one.text))
        else:
            service.write(name, service.seat(game, name), *one.text)
        moved = service.table(game).next_number > before
        assert moved != one.refused, (one, server.log[-500:])

    check_what_was_read(service, game, seats, on_list, decisions)


def check_what_was_read(service, game, seats, on_list, decisions):
    """Everybody on the list has each letter once, and nobody reads there what is another's."""
    by_list = {name: [m for m in service.mails(name) if m["List-Id"]] for name in on_list}
    for mails in by_list.values():
        # lists write their own List-Id; letters to seats have one of ours
        mails[:] = [m for m in mails if "dixie.lists.example.org" in str(m["List-Id"])]
        assert set(Counter(str(m["Message-ID"]) for m in mails).values()) == {1}
        ours = [m for m in mails if m["X-Waybill"]]
        assert len(ours) >= decisions // 2
        assert len({str(m["From"]) for m in ours}) == 1
        # Mailman adds whom it has taken out of From; the list comes first
        assert {str(m["Reply-To"]).partition(",")[0] for m in ours} == {LIST}
        # two turns may read the same; what they answer does not
        told = Counter((str(m["Subject"]), str(m["In-Reply-To"]), text_part(m)) for m in ours)
        assert set(told.values()) == {1}, [k for k, n in told.items() if n > 1]
    for name in seats:
        own = [m for m in service.mails(name) if str(m["To"]) != LIST]
        subjects = [str(m["Subject"]) for m in own]
        assert not [s for s in subjects if re.search(r"complete|\] (?:SR|OR) [\d.]+$", s)], subjects
        if name in on_list:
            # their seat was confirmed by mail; of what they wrote to the list nothing came
            assert not [s for s in subjects if s.startswith("Re: moves")], subjects
    tokens = [service.seat(game, name).partition("@")[0].rpartition(".")[2] for name in seats]
    raws = [m.as_bytes() for mails in by_list.values() for m in mails]
    assert all(len(token) == 16 for token in tokens)
    assert not [token for token in tokens for raw in raws if token.encode() in raw]


def test_a_list_that_takes_no_letters_of_ours_is_told_to_the_organiser(server, tmp_path):
    """We are no member of this list, as far as it knows: its refusal comes as a mail.

    Anybody could have written that mail, so the list stays until the organiser says otherwise.
    """
    service = OwnService(server, tmp_path)
    service.write("Zoe", ADDRESS, f"create 18AL refused1 list={LIST}")
    table = service.table("refused1")
    with service.store.transaction() as tx:
        tx.channels.change_list(table.mailing, status="greeted")
        tx.channels.change_list(tx.channels.list_of(table.row.id), status="on")
    server.unsubscribe(ADDRESS)
    for name in ("Zoe", "Ann", "Bob"):
        service.write(name, ADDRESS, f"join refused1 as {name}")
        service.write(name, reply_to(service.mails(name), "yes"), "yes")
    opened = IS_OPEN_SUBJECT.format(game="refused1", title="18AL")
    created = [m for m in service.mails("Zoe") if opened in str(m["Subject"])][-1]
    service.write("Zoe", str(created["Reply-To"]), "start")
    assert service.table("refused1").mailing is not None
    fails = public_channel.FAILS.format(word="list")
    told = [m for m in service.mails("Zoe") if fails in str(m["Subject"])]
    assert len(told) == 1
