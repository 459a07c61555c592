"""What a mail says of the list that brought it, for the mails of each list manager."""

import pytest

from service.mail.automatic import SENT_BY
from service.mail.message import read, read_head
from tests.service import listed

ANN = "ann@players.test"
LIST = "dixie@lists.example.org"
POSTS = {
    "google": (listed.google(), "dixie@googlegroups.com"),
    "google-plain": (listed.google(munged=False), "dixie@googlegroups.com"),
    "groups.io": (listed.groups_io(), "dixie@groups.io"),
    "groups.io-plain": (listed.groups_io(munged=False), "dixie@groups.io"),
    "mailman": (listed.mailman(), LIST),
    "mailman-munge": (listed.mailman(how="munge"), LIST),
    "mailman-munge-cc": (listed.mailman(how="munge-cc"), LIST),
    "mailman-wrap": (listed.mailman(how="wrap"), LIST),
    "mailman-foot": (listed.mailman(how="foot"), LIST),
    "sympa": (listed.sympa(), LIST),
    "sympa-email": (listed.sympa(phrase="ann@players.test"), LIST),
    "mlmmj": (listed.mlmmj(), LIST),
    "mlmmj-marked": (listed.mlmmj(marked=True), LIST),
}


@pytest.mark.parametrize("manager", POSTS)
def test_each_list_manager_s_post_is_of_its_list_by_its_writer_and_no_robot_s(manager):
    raw, address = POSTS[manager]
    mail = read(raw)
    assert mail.listing.of(address, mail.shared_with)
    assert not mail.listing.of("other@lists.example.org", mail.shared_with)
    assert mail.listing.writer == ANN
    assert not mail.listing.office
    assert not mail.automatic
    assert [line.text for line in mail.lines] == ["!pass"]


@pytest.mark.parametrize("manager", POSTS)
def test_headers_alone_say_the_same_of_list_and_writer(manager):
    raw, address = POSTS[manager]
    mail = read_head(raw)
    assert mail.listing.of(address, mail.shared_with)
    assert mail.listing.writer == ANN


@pytest.mark.parametrize("phrase", listed.SYMPA)
@pytest.mark.parametrize("reply_to", ["", LIST])
def test_sympa_s_writer_is_found_however_it_names_them(phrase, reply_to):
    """Whether From's phrase has the name, the address or neither, and wherever answers go."""
    raw = listed.sympa(phrase=listed.SYMPA[phrase], reply_to=reply_to)
    for mail in (read(raw), read_head(raw)):
        assert (mail.listing.writer, mail.listing.rewritten) == (ANN, True)
    forged = raw.replace(b"X-Original-From: Ann <ann@", b"X-Original-From: Ann <bob@")
    assert read(forged).listing.writer == ("bob@players.test" if reply_to else "")


def test_where_from_is_a_third_address_of_the_list_nobody_has_written():
    """Sympa's ``dmarc_protection.other_email``: any address may stand there, so nobody's counts."""
    raw = listed.sympa().replace(
        b"<dixie@lists.example.org>\r\nTo", b"<box@lists.example.org>\r\nTo"
    )
    assert read(raw).listing.writer == "box@lists.example.org"


def test_a_wrapped_post_and_the_copy_sent_directly_are_one_mail():
    for how in ("wrap", "foot"):
        assert read(listed.mailman(how=how)).message_id == read(listed.mailman()).message_id


def test_of_two_mails_in_one_neither_is_what_the_list_has_wrapped():
    raw = listed.mailman(how="foot").replace(b'Content-Type: text/plain; charset="us-ascii"',
                                             b"Content-Type: message/rfc822")  # fmt: skip
    assert "!pass" not in [line.text for line in read(raw).lines]


def test_what_a_person_forwards_is_not_taken_for_a_wrapped_post():
    raw = listed.mailman(how="wrap").replace(b"via Dixie <dixie@lists.example.org>",
                                             b"<ann@players.test>")  # fmt: skip
    mail = read(raw)
    assert [line.text for line in mail.lines] == [listed.WRAPPED]
    assert mail.message_id == "<1.outer@lists.example.org>"


def test_of_two_accounts_of_the_writer_neither_counts():
    raw = listed.mailman(how="munge", also=("X-Original-From: bob@players.test",))
    assert read(raw).listing.writer == ""
    raw = listed.mailman(how="munge-cc", also=("X-Original-From: bob@players.test",))
    assert read(raw).listing.writer == ""
    raw = listed.mailman(how="wrap").replace(b"\r\nFrom: Ann <ann@players.test>",
                                             b"\r\nFrom: Bob <bob@players.test>")  # fmt: skip
    assert read(raw).listing.writer == ""
    raw = listed.groups_io().replace(b"Reply-To: dixie@groups.io", b"Reply-To: bob@players.test")
    assert read(raw).listing.writer == ""


def test_where_from_is_a_person_s_no_other_header_makes_it_another_s():
    raw = listed.mailman(also=("X-Original-From: bob@players.test", "Original-From: bob@b.test"))
    assert read(raw).listing.writer == ANN
    assert not read(raw).listing.rewritten
    raw = listed.mlmmj().replace(b"Subject:", b"X-Original-From: bob@players.test\r\nSubject:")
    assert read(raw).listing.writer == ANN


def test_an_address_that_only_looks_folded_is_a_person_s():
    odd = "bob=players.test@evil.test"
    raw = listed.mailman(writer=odd)
    assert read(raw).listing.writer == odd


def test_the_ietf_s_way_of_folding_is_read():
    raw = listed.mailman(group="bpf@ietf.org").replace(
        b"From: Ann <ann@players.test>",
        b"From: ann=40players.test@dmarc.ietf.org\r\nX-Original-From: ann@players.test",
    )
    assert read(raw).listing.writer == ANN


def test_an_envelope_sender_counts_only_where_nothing_else_tells_the_writer():
    bare = listed.mailman(how="munge").replace(b"Reply-To: Ann <ann@players.test>",
                                               b"X-MailFrom: ann@players.test")  # fmt: skip
    assert read(bare).listing.writer == ANN
    both = listed.mailman(how="munge", also=("X-MailFrom: bounces-17@players.test",))
    assert read(both).listing.writer == ANN


def test_a_post_of_the_list_s_own_address_that_tells_no_writer_is_nobody_s():
    raw = listed.mailman(how="munge").replace(b"Reply-To: Ann <ann@players.test>\r\n", b"")
    assert read(raw).listing.writer == ""


@pytest.mark.parametrize(
    "address",
    [
        "dixie-request@lists.example.org",
        "dixie-confirm+a1b2c3@lists.example.org",
        "dixie+confsub-0c1f0e1d-ann=players.test@lists.example.org",
        "dixie+owner@lists.example.org",
        "dixie-owner@lists.example.org",
        "dixie+owners@googlegroups.com",
        "dixie+noreply@googlegroups.com",
        "dixie+msgappr@googlegroups.com",
        "noreply@groups.io",
        "dixie+help@lists.example.org",
        "sympa@lists.example.org",
    ],
)
def test_offices_of_a_list_are_no_persons(address):
    mail = read(listed.mlmmj(writer=address, marked=True, group=f"dixie@{address.split('@')[1]}"))
    assert mail.listing.office or mail.automatic


@pytest.mark.parametrize(
    "address",
    [
        "dixie-confirm+a1b2c3@lists.example.org",
        "dixie+confsub-0c1f0e1d-ann=players.test@lists.example.org",
        "dixie+owner@lists.example.org",
        "dixie+noreply@googlegroups.com",
    ],
)
def test_who_asks_for_a_confirmation_is_a_robot_wherever_it_writes_to(address):
    mail = read(listed.mlmmj(writer=address, group="play@waybill.test"))
    assert mail.automatic == SENT_BY.format(sender=address)


@pytest.mark.parametrize("address", [ANN, "ann+help@players.test", "club-admin@players.test"])
def test_persons_are_no_offices(address):
    mail = read(listed.mlmmj(writer=address, marked=True))
    assert not mail.listing.office
    assert not mail.automatic


@pytest.mark.parametrize(
    "subject",
    [
        "Dixie Digest, Vol 3, Issue 2",
        "[Dixie] Digest, Vol 3, Issue 2",
        "Digest for dixie@googlegroups.com - 3 updates in 1 topic",
        "dixie@groups.io Digest #17",
        "Digest of dixie@lists.example.org issue 2 (3-9)",
    ],
)
def test_a_digest_is_no_post(subject):
    assert read(listed.google(subject=subject)).listing.office == "a digest"


def test_a_mail_whose_subject_has_the_word_digest_is_a_post():
    assert not read(listed.google(subject="Re: your digest setting")).listing.office
