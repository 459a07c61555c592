"""Mails as list managers send them on, each after the headers of its manager's own mails.

mlmmj's and Mailman 3's are what these sent when they ran here (`test_list_server.py` has them
run). Of the others none was there to try: Sympa's are written after the manual of its settings
(``dmarc_protection`` in list_config(5)), those of Google Groups and groups.io after the headers of
posts in public archives, as neither documents them. What the parser needs of them is said in
`service/mail/lists.py`.
"""

from collections.abc import Sequence

HOST = "waybill.test"
#: what Mailman writes above a post that it attaches
WRAPPED = "The original message is attached."


def _mail(headers: Sequence[str], body: Sequence[str]) -> bytes:
    return "\r\n".join((*headers, "", *body, "")).encode()


def google(
    writer="ann@players.test",
    name="Ann",
    lines=("!pass",),
    group="dixie@googlegroups.com",
    key="1",
    munged=True,
    **also,
):
    """A post in Google Groups; of a writer whose domain has DMARC, From is the group's."""
    local = group.partition("@")[0]
    shown = f"'{name}' via {local} <{group}>" if munged else f"{name} <{writer}>"
    original = [f"X-Original-From: {name} <{writer}>", f"Reply-To: {name} <{writer}>"]
    headers = [
        f"Return-Path: <{local}+bncBDXYDPH3S4OBBZNVZTFQMGQEMPH4VVA@googlegroups.com>",
        f"Delivered-To: play@{HOST}",
        "Sender: " + group,
        "Date: Sun, 22 Nov 2026 10:00:00 +0100",
        f"From: {shown}",
        f"To: {group}",
        f"Message-ID: <{key}.google@mail.gmail.com>",
        "Subject: " + also.pop("subject", "[dixie7] SR 1"),
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=UTF-8",
        f"X-Original-Sender: {writer}",
        f"X-Original-Authentication-Results: gmr-mx.google.com; spf=pass smtp.mailfrom={writer}",
        *(original if munged else ()),
        "Precedence: list",
        f"Mailing-list: list {group}; contact {local}+owners@googlegroups.com",
        f"List-ID: <{group.replace('@', '.')}>",
        "X-Google-Group-Id: 358814495539",
        f"List-Post: <https://groups.google.com/group/{local}/post>, <mailto:{group}>",
        f"List-Help: <https://groups.google.com/support/>, <mailto:{local}+help@googlegroups.com>",
        "List-Unsubscribe: <mailto:googlegroups-manage+358814495539+unsubscribe@googlegroups.com>,",
        f" <https://groups.google.com/group/{local}/subscribe>",
        *(f"{header.replace('_', '-')}: {value}" for header, value in also.items()),
    ]
    foot = (
        "",
        "-- ",
        f'You received this message because you are subscribed to the Google Groups "{local}" '
        "group.",
        "To unsubscribe from this group and stop receiving emails from it, send an email to "
        f"{local}+unsubscribe@googlegroups.com.",
    )
    return _mail(headers, (*lines, *foot))


def groups_io(
    writer="ann@players.test",
    name="Ann",
    lines=("!pass",),
    group="dixie@groups.io",
    key="1",
    munged=True,
    subject="Re: [dixie7] SR 1",
):
    """A post in groups.io; of a writer whose domain has DMARC, From is folded into its own."""
    local, host = group.split("@")
    folded = f"{writer.replace('@', '=')}@{host}"
    shown = f'"{name} via groups.io" <{folded}>' if munged else f"{name} <{writer}>"
    headers = [
        f"Return-Path: <bounce+27997+8620+4520527+8129362@{host}>",
        f"Delivered-To: play@{HOST}",
        "MIME-Version: 1.0",
        f"Subject: {subject}",
        f"From: {shown}",
        f"To: {group}",
        "Date: Sun, 22 Nov 2026 10:00:00 +0100",
        f"Message-ID: <{key}.io@players.test>",
        "Precedence: Bulk",
        f"List-Subscribe: <mailto:{local}+subscribe@{host}>",
        f"List-Help: <mailto:{local}+help@{host}>",
        f"Sender: {group}",
        f"List-Id: <{local}.{host}>",
        f"Mailing-List: list {group}; contact {local}+owner@{host}",
        f"Delivered-To: mailing list {group}",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        f"List-Unsubscribe: <https://{host}/g/{local}/leave/8129362/4520527/1896307328/plugh>",
        f"Reply-To: {group}",
        'Content-Type: text/plain; charset="utf-8"',
        "Content-Transfer-Encoding: quoted-printable",
    ]
    foot = (
        "",
        "-=3D-=3D-=3D-=3D-=3D-=3D-=3D-=3D-=3D-=3D-=3D-",
        "Groups.io Links: You receive all messages sent to this group.",
        f"View/Reply Online (#17): https://{host}/g/{local}/message/17",
        "-=3D-=3D-=3D-=3D-=3D-=3D-=3D-=3D-=3D-=3D-=3D-",
    )
    return _mail(headers, (*lines, *foot))


def mailman(
    writer="ann@players.test",
    name="Ann",
    lines=("!pass",),
    group="dixie@lists.example.org",
    key="1",
    how="",
    also=(),
):
    """A post in Mailman 3; ``how`` is "", munge, munge-cc (replies to the list), wrap or foot.

    The last is wrap as Mailman 3.3.10 sends it for a list with a footer.
    """
    footed, how = how == "foot", "wrap" if how == "foot" else how
    host = group.partition("@")[2]
    shown = f"{name} via Dixie <{group}>" if how else f"{name} <{writer}>"
    reply = {"munge": f"{name} <{writer}>", "munge-cc": group, "wrap": f"{name} <{writer}>"}
    headers = [
        f"Return-Path: <dixie-bounces+play={HOST}@{host}>",
        f"Delivered-To: play@{HOST}",
        f"From: {shown}",
        f"To: {group}",
        *([f"Cc: {name} <{writer}>"] if how == "munge-cc" else []),
        *([f"Reply-To: {reply[how]}"] if how else []),
        "Subject: [Dixie] Re: [dixie7] SR 1",
        f"Message-ID: <{key}.{'outer' if how == 'wrap' else 'mm'}@{host}>",
        "Date: Sun, 22 Nov 2026 10:00:00 +0100",
        "X-Mailman-Version: 3.3.8",
        "Precedence: list",
        "List-Id: An 18xx group <dixie.lists.example.org>",
        f"List-Help: <mailto:dixie-request@{host}?subject=help>",
        f"List-Owner: <mailto:dixie-owner@{host}>",
        f"List-Post: <mailto:{group}>",
        *also,
    ]
    foot = ("", "_" * 47, f"Dixie mailing list -- {group}",
            f"To unsubscribe send an email to dixie-leave@{host}")  # fmt: skip
    if how != "wrap":
        return _mail([*headers, "MIME-Version: 1.0", "Content-Type: text/plain"], (*lines, *foot))
    inner = (
        f"From: {name} <{writer}>",
        f"To: {group}",
        "Subject: Re: [dixie7] SR 1",
        f"Message-ID: <{key}.mm@{host}>",
        "Content-Type: text/plain",
        "",
        *lines,
    )
    told = ("--=_x", "Content-Type: text/plain", "", WRAPPED)
    wrapped = (
        "--=_x", "Content-Type: message/rfc822", "Content-Disposition: inline", "", *inner
    )  # fmt: skip
    last = ("--=_x", 'Content-Type: text/plain; charset="us-ascii"', "", *foot)
    body = (*wrapped, *last, "--=_x--") if footed else (*told, *wrapped, "--=_x--")
    kind = 'Content-Type: multipart/mixed; boundary="=_x"'
    return _mail([*headers, "MIME-Version: 1.0", kind], body)


def mailman_sends_back(raw: bytes, why: str = "The message is not from a list member") -> bytes:
    """A mail of ours that Mailman 3.3.8 rejects, as it sends it back; '' for one that it holds."""
    host = "lists.example.org"
    headers = [
        f"Return-Path: <dixie-bounces@{host}>",
        f"Delivered-To: play@{HOST}",
        "Subject: [dixie7] SR 1",
        f"From: dixie-owner@{host}",
        f"To: play@{HOST}",
        "MIME-Version: 1.0",
        f"Message-ID: <179538428035.{len(why)}.15309738925572062745@localhost>",
        "Date: Sun, 22 Nov 2026 21:51:20 +0000",
        "Precedence: bulk",
        "X-Mailman-Version: 3.3.8",
        "List-Id: <dixie.lists.example.org>",
        f"List-Help: <mailto:dixie-request@{host}?subject=help>",
    ]
    if not why:
        held = ("Your email to 'dixie@lists.example.org' with the subject", "", "    [dixie7] SR 1",
                "", "Is being held until the list moderator can review it for approval.")  # fmt: skip
        return _mail([*headers, "Content-Type: text/plain"], held)
    told = ("--=_x", "Content-Type: text/plain", "",
            "Your message to the Dixie mailing-list was rejected for the following", "reasons:", "",
            why, "", "The original message as received by Mailman is attached.", "")  # fmt: skip
    body = (*told, "--=_x", "Content-Type: message/rfc822", "", raw.decode(), "--=_x--")
    return _mail([*headers, 'Content-Type: multipart/mixed; boundary="=_x"'], body)


#: how Sympa names who wrote (``dmarc_protection.phrase`` in its list configuration), as From is made
SYMPA = {
    "display_name": "Ann",
    "name_and_email": "Ann (ann@players.test)",
    "name_via_list": "Ann (via dixie Mailing List)",
    "name_email_via_list": "Ann (ann@players.test via dixie Mailing List)",
    "list_for_email": "dixie (on behalf of ann@players.test)",
    "list_for_name": "dixie (on behalf of Ann)",
}


def sympa(writer="ann@players.test", name="Ann", lines=("!pass",), key="1",
          group="dixie@lists.example.org", phrase="", reply_to=""):  # fmt: skip
    """A post in Sympa with DMARC protection; ``phrase`` is its name beside From.

    ``reply_to`` is the list's where answers go there; else Sympa puts the writer in.
    """
    shown = phrase or f"{name} (via dixie)"
    host = group.partition("@")[2]
    headers = [
        f"Return-Path: <dixie-owner@{host}>",
        f"Delivered-To: play@{HOST}",
        f'From: "{shown}" <{group}>',
        f"To: {group}",
        f"Reply-To: {reply_to or f'{name} <{writer}>'}",
        f"X-Original-From: {name} <{writer}>",
        "Subject: [dixie] SR 1",
        f"Message-ID: <{key}.sympa@players.test>",
        "Date: Sun, 22 Nov 2026 10:00:00 +0100",
        f"X-Loop: {group}",
        "X-Sequence: 12",
        "Errors-To: dixie-owner@" + host,
        "Precedence: list",
        "X-no-archive: yes",
        f"List-Id: <dixie.{host}>",
        f"List-Post: <mailto:{group}>",
        "Content-Type: text/plain",
    ]  # fmt: skip
    return _mail(headers, lines)


def mlmmj(writer="ann@players.test", name="Ann", lines=("!pass",), key="1",
          group="dixie@lists.example.org", marked=False):  # fmt: skip
    """A post in mlmmj, which leaves From; ``marked`` where its owner has set customheaders."""
    host = group.partition("@")[2]
    headers = [
        f"Return-Path: <dixie+bounces-17-play={HOST}@{host}>",
        f"Delivered-To: play@{HOST}",
        f"From: {name} <{writer}>",
        f"To: {group}",
        "Subject: Re: [dixie7] SR 1",
        f"Message-ID: <{key}.mlmmj@players.test>",
        "Date: Sun, 22 Nov 2026 10:00:00 +0100",
        *([f"List-Id: <dixie.{host}>", f"List-Post: <mailto:{group}>"] if marked else []),
        "Content-Type: text/plain",
    ]
    return _mail(headers, lines)
