"""What `waybill check` proves by an email to itself, and what it says of the domain."""

import asyncio
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from service.app import domain, round_trip
from service.app.checkup import examine
from service.app.providers import of_domain, of_mx
from service.app.servers import mailbox_of, smtp_of
from service.app.wiring import open_office, service_of
from service.cli import program
from service.mail.evidence import Signature
from service.mail.mailbox import Fetched, ImapAccount, ImapMailbox
from service.mail.maildir import MaildirMailbox
from service.settings import load
from service.workshop.demo.embedded import PostOffice
from tests.need import need
from tests.service import dovecot
from tests.service.players import says


@pytest.fixture
def post():
    with PostOffice() as office:
        yield office


def written(folder, post, more=""):
    config = folder / "my.toml"
    config.write_text(
        f'[mail]\naddress = "{post.mailbox}"\nsecret = "long enough for a test"\n'
        f'[data]\ndir = "{folder}/data"\n'
        f'[imap]\nhost = "127.0.0.1"\nport = {post.imap_port}\ntls = "none"\n'
        f'user = "{post.mailbox}"\npassword = "{post.password}"\n'
        f'[smtp]\nhost = "127.0.0.1"\nport = {post.smtp_port}\ntls = "none"\n{more}'
    )
    config.chmod(0o600)
    return config


def silent(name, kind):
    """A name server that knows nothing."""
    return ()


def found(chosen, wait=5, look=silent):
    return {one.what: (one.sign, one.text) for one in examine(chosen, wait, look)}


def left(chosen):
    """The emails in the mailbox."""
    mailbox = mailbox_of(chosen, chosen.imap)
    mails = [one.raw for one in mailbox.fetch()]
    mailbox.close()
    return mails


@pytest.mark.long
def test_an_email_comes_back_and_is_taken_out_again(tmp_path, post):
    chosen = load(written(tmp_path, post))
    told = found(chosen)
    assert told["round trip"][0] == told["bounces"][0] == told["clock"][0] == "ok"
    assert "play+probe@waybill.test came back" in told["round trip"][1]
    assert told["results"] == ("ok", round_trip.NO_RESULTS)
    assert left(chosen) == []
    assert not (tmp_path / "data").exists()


@pytest.mark.long
def test_without_a_wait_no_email_is_sent(tmp_path, post):
    chosen = load(written(tmp_path, post))
    assert "round trip" not in found(chosen, wait=0)


@pytest.mark.long
def test_a_mailbox_without_plus_addressing_is_told(tmp_path, post, monkeypatch):
    kept = post._is_mailbox
    monkeypatch.setattr(post, "_is_mailbox", lambda one: kept(one) and "+" not in one)
    chosen = load(written(tmp_path, post))
    told = found(chosen, wait=0.2)
    plus = "play+probe@waybill.test"
    text = round_trip.NO_PLUS.format(address=post.mailbox, plus=plus)
    assert told["round trip"] == ("!!", text)


@pytest.mark.long
def test_an_email_that_never_arrives_is_told(tmp_path, post, monkeypatch):
    monkeypatch.setattr(post, "_is_mailbox", lambda _: False)
    sign, text = found(load(written(tmp_path, post)), wait=0.2)["round trip"]
    assert sign == "NO" and says(text, round_trip.LOST, address=post.mailbox)


@pytest.mark.long
def test_a_server_that_takes_only_the_plain_sender_is_told(tmp_path, post, monkeypatch):
    async def picky(self, server, session, envelope, address, options):
        if "+" in address:
            return "550 5.7.1 Sender address rejected: not owned by user"
        envelope.mail_from = address
        return "250 OK"

    monkeypatch.setattr(PostOffice, "handle_MAIL", picky, raising=False)
    told = found(load(written(tmp_path, post)))
    assert told["round trip"][0] == "ok"
    assert told["bounces"] == ("!!", round_trip.PLAIN.format(address=post.mailbox))


@pytest.mark.long
@pytest.mark.parametrize(
    ("setting", "sign", "text"),
    [
        ("", "ok", round_trip.PROPOSAL),
        ("mx.waybill.test", "ok", round_trip.SAME),
        ("other.test", "!!", round_trip.OTHER),
    ],
)
def test_the_name_in_authentication_results_is_proposed(
    tmp_path, post, monkeypatch, setting, sign, text
):
    handed = post.handle_DATA

    async def marked(server, session, envelope):
        envelope.content = (
            b"Authentication-Results: mx.waybill.test; spf=pass\r\n" + envelope.content
        )
        return await handed(server, session, envelope)

    monkeypatch.setattr(post, "handle_DATA", marked)
    chosen = load(written(tmp_path, post))
    mail = chosen.mail.model_copy(update={"authserv_id": setting})
    told = found(chosen.model_copy(update={"mail": mail}))
    assert told["results"] == (sign, text.format(known=setting, found="mx.waybill.test"))


@pytest.mark.long
def test_a_clock_that_is_wrong_is_told(tmp_path, post, monkeypatch):
    chosen = load(written(tmp_path, post))
    monkeypatch.setattr(round_trip.time, "time", lambda real=time.time: real() + 3600)
    sign, text = found(chosen)["clock"]
    assert sign == "NO" and says(text, round_trip.CLOCK_WRONG, how="ahead of")


@pytest.mark.long
def test_a_service_that_runs_does_nothing_about_the_email(tmp_path, post):
    """It fetches it beside the check, which still finds it, and answers nobody."""
    chosen = load(written(tmp_path, post, '[log]\nlevel = "error"\n'))
    office = open_office(chosen)
    stop = threading.Event()

    def serve():
        while not stop.is_set():
            asyncio.run(office.work_off())

    serving = threading.Thread(target=serve)
    serving.start()
    try:
        told = found(chosen)
    finally:
        stop.set()
        serving.join()
    assert told["round trip"][0] == "ok"
    counts = office.store.work.counts()
    assert set(counts.inbox) <= {"ignored"} and not counts.outbox
    office.close()
    assert left(chosen) == []


@pytest.mark.parametrize("runs", [True, False])
def test_a_test_email_that_another_service_has_handled_is_told(tmp_path, post, runs):
    chosen = load(written(tmp_path, post))
    came = Fetched(7, 1, b"From: a@x.test\r\n\r\n", datetime.now(UTC), taken=True)
    trip = round_trip.Trip(plus=came, sent=time.time(), found=time.time())
    told = {one.what: one for one in round_trip.judge(chosen.mail, trip, 5, runs)}
    assert ("mailbox" not in told) if runs else (told["mailbox"].text == round_trip.SHARED)


@pytest.mark.long
@pytest.mark.dovecot
@pytest.mark.parametrize("done_folder", ["", "Handled"])
def test_a_real_server_gives_the_email_back_from_both_folders(done_folder):
    need(not dovecot.missing(), dovecot.missing())
    with dovecot.running() as server:
        user = server.new_user()
        server.deliver(user, b"Message-ID: <a@x.test>\r\nSubject: stays\r\n\r\n1\r\n")
        server.deliver(user, b"Message-ID: <b@x.test>\r\nSubject: goes\r\n\r\n2\r\n")
        account = ImapAccount("127.0.0.1", server.imap, user, dovecot.PASSWORD, "none")
        mailbox = ImapMailbox(account)
        if done_folder:
            mailbox._do(lambda client: client.create_folder(done_folder))
            mailbox.close()
            mailbox = ImapMailbox(replace(account, done_folder=done_folder))
        for one in mailbox.fetch():
            mailbox.done(one)
        taken = mailbox.take_out("<b@x.test>")
        assert taken is not None and b"Subject: goes" in taken.raw
        assert taken.taken, "a service has handled it, by keyword or by folder"
        server.deliver(user, b"Message-ID: <c@x.test>\r\n\r\n3\r\n")
        waits = mailbox.take_out("<c@x.test>")
        assert waits is not None and not waits.taken
        assert mailbox.take_out("<b@x.test>") is None
        assert mailbox.take_out("<a@x.test>") is not None
        mailbox.close()


def test_a_maildir_gives_the_email_back(tmp_path):
    for part in ("cur", "new", "tmp"):
        (tmp_path / part).mkdir()
    (tmp_path / "new" / "1.x").write_bytes(b"Message-ID: <a@x.test>\n\nno <b@x.test>\n")
    (tmp_path / "cur" / "2.x:2,S").write_bytes(b"Message-ID: <b@x.test>\n\n2\n")
    mailbox = MaildirMailbox(tmp_path)
    taken = mailbox.take_out("<b@x.test>")
    assert taken is not None and taken.raw.startswith(b"Message-ID: <b@x.test>")
    assert mailbox.take_out("<b@x.test>") is None
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["1.x"]


# ---------------------------------------------------------------------------- the domain


def of_domain_records(records):
    return lambda name, kind: records.get((name, kind), ())


def about_domain(tmp_path, post, records, signatures=()):
    chosen = load(written(tmp_path, post))
    found = domain.examine(chosen, signatures, of_domain_records(records))
    return {one.what: (one.sign, one.text) for one in found}


def test_a_domain_with_all_records_is_good(tmp_path, post):
    key = Signature(0, "waybill.test", "", "s1")
    records = {
        ("waybill.test", "TXT"): ("other=1", "v=spf1 mx -all"),
        ("_dmarc.waybill.test", "TXT"): ("v=DMARC1; p=none",),
        ("s1._domainkey.waybill.test", "TXT"): ("v=DKIM1; p=abc",),
    }
    told = about_domain(tmp_path, post, records, (key,))
    assert {what: sign for what, (sign, _) in told.items()} == {
        "SPF": "ok",
        "DMARC": "ok",
        "DKIM": "ok",
    }


def test_a_domain_without_records_is_told_what_to_put_into_the_dns(tmp_path, post):
    told = about_domain(tmp_path, post, {})
    spf = domain.NO_SPF.format(domain="waybill.test", proposal="v=spf1 mx ~all")
    assert told["SPF"] == ("!!", spf)
    assert told["DMARC"] == ("!!", domain.NO_DMARC.format(domain="waybill.test"))
    assert told["DKIM"] == ("!!", domain.UNSIGNED.format(domain="waybill.test"))


def test_a_signature_without_its_key_and_two_spf_records_are_told(tmp_path, post):
    key = Signature(0, "waybill.test", "", "s1")
    records = {("waybill.test", "TXT"): ("v=spf1 mx -all", "v=spf1 a -all")}
    told = about_domain(tmp_path, post, records, (key,))
    assert told["SPF"] == ("!!", domain.MANY_SPF.format(domain="waybill.test", count=2))
    assert told["DKIM"][0] == "!!" and "s1._domainkey.waybill.test" in told["DKIM"][1]


def test_a_name_server_that_is_silent_is_told(tmp_path, post):
    [one] = domain.examine(load(written(tmp_path, post)), (), lambda name, kind: None)
    assert (one.what, one.sign) == ("domain", "!!")


def test_the_domain_of_a_provider_is_not_looked_up(tmp_path, post):
    chosen = load(written(tmp_path, post))
    mail = chosen.mail.model_copy(update={"address": "dixie@gmail.com"})
    [one] = domain.examine(chosen.model_copy(update={"mail": mail}), (), None)
    assert one.text == domain.OF_PROVIDER.format(domain="gmail.com", name="Gmail")


def test_providers_are_known_by_their_domains_and_by_their_servers():
    assert of_domain("GMX.de").imap.host == "imap.gmx.net"
    assert of_mx(["in1-smtp.messagingengine.com."]).name == "Fastmail"
    assert of_mx(["aspmx.l.google.com."]).name == "Gmail"
    assert of_domain("example.org") is None and of_mx(["mx.example.org."]) is None


@pytest.mark.long
def test_the_command_says_what_it_found(tmp_path, post):
    config = written(tmp_path, post)
    told = CliRunner().invoke(program(), ["check", "--config", str(config)])
    assert told.exit_code == 0, told.output
    assert "ok round trip: an email to play+probe@waybill.test came back" in told.output
    assert smtp_of(load(config)) and service_of(load(config))
