"""However a mail program lays a reply out and packs it, the player's own lines come out of it."""

from email.message import EmailMessage
from html import escape

from hypothesis import given
from hypothesis import strategies as st

from engine.notation import write
from service.mail.message import read
from service.mail.replies import own_lines, text_of_html
from tests import games

WHO = "Waybill <play+dixie7.c.k3f9aaaabbbbcccc@example.test>"
#: what stands before a quotation with marks
MARKED = (
    "On Fri, Nov 20, 2026 at 10:00 AM Waybill Moderator\n<play@example.test> wrote:\n",
    f"On Fri, 20 Nov 2026 at 10:00, {WHO} wrote:\n",
    "On 20/11/2026 10:00, Waybill wrote:\n",
    f"Am Fr., 20. Nov. 2026 um 10:00 Uhr schrieb {WHO}:\n",
    f"Le ven. 20 nov. 2026 à 10:00, {WHO} a écrit\u00a0:\n",
    "",
)
#: what stands before one without
UNMARKED = (
    "-----Original Message-----\n",
    f"From: {WHO}\nSent: Friday, November 20, 2026 10:00 AM\nTo: Bob\nSubject: [dixie7] YOUR TURN\n",
    f"*Von:* {WHO}\n*Gesendet:* Freitag\n*An:* Bob\n*Betreff:* Zug\n",
    "________________________________\nFrom: x@y.test\nSent: Friday\nTo: Bob\nSubject: x\n",
)
GREETINGS = ("", "Hi all,\n", "hello waybill\n", "Dear Ann,\n\n", "Moin!\n")
ENDS = (
    "",
    "\nBob\n",
    "\nThanks,\nBob\n",
    "\nBest regards,\nBob Smith\n",
    "\nViele Grüße\nBob\n",
    "\nSent from my iPhone\n",
    "\nGet Outlook for iOS<https://aka.ms/o0ukef>\n",
)
SIGNATURES = (
    "",
    "\n-- \nBob\npass\n",
    "\nEND\nbuy 3\n",
    "\n_______________________________\nx list\n",
)
#: what others wrote: a turn mail with commands that must never be read
QUOTED = st.lists(
    st.sampled_from(
        ("It is the turn of TC.", "pass", "buy 3", "", "Cash 430.", "REPLY WITH", "  lay 57 G4 N-S")
    ),
    min_size=1,
    max_size=8,
)
PLAYED = games.game("18al")
COMMANDS = tuple(
    dict.fromkeys(
        write(PLAYED.title, state, action)
        for state, action in zip(PLAYED.states, PLAYED.actions, strict=False)
    )
)
OWN = st.lists(st.sampled_from(COMMANDS), min_size=1, max_size=5)


def marked(draw, depth=1):
    """A quotation, each line with as many marks as it was quoted, and sometimes who wrote it."""
    text = "".join(f"{'>' * depth} {line}\n" for line in draw(QUOTED))
    return "\n" + draw(st.sampled_from(MARKED)) + text + "\n"


@st.composite
def replies(draw):
    """The player's lines, and a mail's text that has them somewhere, with whether it quotes."""
    own = draw(OWN)
    blank = st.sampled_from(["", "\n", "\n\n"])
    body, quoted = "", False
    if draw(st.booleans()):
        body, quoted = marked(draw, draw(st.integers(1, 3))), True
    body += draw(st.sampled_from(GREETINGS)) if not quoted else ""
    for line in own[:-1]:
        body += f"{line}\n" + draw(blank)
        if draw(st.integers(0, 3)) == 0:
            body, quoted = body + marked(draw), True
    body += f"{own[-1]}\n" + draw(st.sampled_from(ENDS))
    tail = draw(st.sampled_from(("nothing", "signature", "marked", "unmarked")))
    if tail == "signature":
        body += draw(st.sampled_from(SIGNATURES))
    elif tail == "marked":
        body, quoted = body + marked(draw, draw(st.integers(1, 2))), True
    elif tail == "unmarked":
        body += "\n" + draw(st.sampled_from(UNMARKED)) + "\n" + "\n".join(draw(QUOTED))
        quoted = True
    return own, body, quoted


@given(replies())
def test_the_own_lines_are_those_that_were_typed(reply):
    own, body, quoted = reply
    found = own_lines(body, ["Bob", "Smith"])
    assert [line.text for line in found.lines] == own
    assert found.quoted == quoted
    lines = body.split("\n")
    assert [lines[line.number - 1] for line in found.lines] == own


@given(OWN, QUOTED, st.sampled_from(["div", "p", "br", "li"]), st.sampled_from(range(4)))
def test_they_are_in_a_web_page_too(own, quoted, tag, program):
    if tag == "br":
        page = "<div>" + "<br>".join(map(escape, own)) + "</div>"
    else:
        page = "".join(f"<{tag}>{escape(line)}</{tag}>" for line in own)
    theirs = "".join(f"<div>{escape(line)}</div>" for line in quoted)
    page += (
        f'<div class="gmail_quote"><div class="gmail_attr">On Friday Waybill wrote:</div>'
        f"<blockquote>{theirs}</blockquote></div>",
        f'<blockquote type="cite"><div>On 20 Nov, Waybill wrote:</div>{theirs}</blockquote>',
        f'<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> W</div>{theirs}',
        f'<div class="yahoo_quoted"><div>On Friday, Waybill wrote:</div>{theirs}</div>',
    )[program]
    found = own_lines(text_of_html(page), ["Bob"])
    assert [line.text for line in found.lines] == own
    assert found.quoted


@given(
    replies(),
    st.sampled_from(["utf-8", "iso-8859-1", "windows-1252"]),
    st.sampled_from(["base64", "quoted-printable", "8bit"]),
    st.booleans(),
)
def test_however_a_mail_is_packed_it_has_the_same_lines(reply, charset, packing, web):
    own, body, _ = reply
    mail = EmailMessage()
    mail["From"], mail["To"] = "Bob Smith <bob@x.test>", "play+dixie7@example.test"
    mail["Subject"], mail["Message-ID"] = "Re: [dixie7] YOUR TURN", "<1@x.test>"
    mail.set_content(body, charset=charset, cte=packing)
    if web:
        mail.add_alternative(f"<pre>{escape(body)}</pre>", subtype="html")
    found = read(mail.as_bytes())
    assert [line.text for line in found.lines if line.number] == own
    assert found.sender == "bob@x.test"


@given(st.text(max_size=300), st.lists(st.text(max_size=8), max_size=2))
def test_no_text_is_too_strange_to_be_read(text, names):
    found = own_lines(text, names)
    count = len(text.splitlines()) + 1
    assert all(1 <= line.number <= count and line.text.strip() for line in found.lines)
    assert "\n" not in "".join(line.text for line in found.lines)
