"""What is left of a reply: the player's own lines, from every mail program we know of."""

import pytest

from service.mail.replies import SENTINEL, Line, own_lines, text_of_html, unwrap_flowed

OWN = "lay 57 G4 N-S\npay"
TURN = "It is the turn of TC.\nCash 430.\npass\nbuy 3\n-- \ndixie7 seat C\n"
MARKED = "".join(f"> {line}\n" for line in TURN.splitlines())
WHEN = "Fri, Nov 20, 2026 at 10:00 AM"
WHO = "Waybill <play+dixie7.c.k3f9aaaabbbbcccc@example.test>"


def texts(text, *names):
    return [line.text for line in own_lines(text, names).lines]


QUOTING = {
    "gmail, wrapped attribution": f"{OWN}\n\nOn {WHEN} Waybill Moderator\n<play@example.test> wrote:\n\n{MARKED}",
    "gmail, three lines": f"{OWN}\n\nOn {WHEN} Waybill\nModerator <play@example.test>\nwrote:\n\n{MARKED}",
    "gmail, one line": f"{OWN}\n\nOn Fri, 20 Nov 2026 at 10:00, {WHO} wrote:\n{MARKED}",
    "outlook desktop": f"{OWN}\n\nFrom: {WHO}\nSent: Friday, November 20, 2026 10:00 AM\nTo: Bob\nSubject: [dixie7] YOUR TURN\n\n{TURN}",
    "outlook, line above": f"{OWN}\n\n________________________________\nFrom: {WHO}\nSent: Friday\nTo: Bob\nSubject: x\n\n{TURN}",
    "outlook, original message": f"{OWN}\n\n-----Original Message-----\nFrom: {WHO}\n\n{TURN}",
    "outlook, starred headers": f"{OWN}\n\n*From:* {WHO}\n*Date:* Friday\n*To:* Bob\n*Subject:* x\n\n{TURN}",
    "outlook, german": f"{OWN}\n\nVon: {WHO}\nGesendet: Freitag, 20. November 2026 10:00\nAn: Bob\nBetreff: AW: Zug\n\n{TURN}",
    "outlook, french": f"{OWN}\n\nDe : {WHO}\nEnvoyé : vendredi\nÀ : Bob\nObjet : tour\n\n{TURN}",
    "apple mail": f"{OWN}\n\n> On 20 Nov 2026, at 10:00, {WHO} wrote:\n> \n{MARKED}",
    "iphone": f"{OWN}\n\nSent from my iPhone\n\n> On Nov 20, 2026, at 10:00, {WHO} wrote:\n> \n> \ufeff\n{MARKED}",
    "thunderbird": f"{OWN}\n\nOn 20/11/2026 10:00, Waybill wrote:\n{MARKED}",
    "german gmail": f"{OWN}\n\nAm Fr., 20. Nov. 2026 um 10:00 Uhr schrieb {WHO}:\n\n{MARKED}",
    "german thunderbird": f"{OWN}\n\nAm 20.11.26 um 10:00 schrieb Waybill:\n{MARKED}",
    "french gmail": f"{OWN}\n\nLe ven. 20 nov. 2026 à 10:00, {WHO} a écrit\u00a0:\n\n{MARKED}",
    "spanish": f"{OWN}\n\nEl vie, 20 nov 2026 a las 10:00, {WHO} escribió:\n\n{MARKED}",
    "japanese": f"{OWN}\n\n2026年11月20日(金) 10:00 {WHO}:\n\n{MARKED}",
    "yahoo, no marks": f"{OWN}\n\n    On Friday, November 20, 2026 at 10:00:00 AM EST, {WHO} wrote:  \n\n {TURN}",
    "samsung": f"{OWN}\n\n-------- Original message --------\nFrom: {WHO}\nDate: 20/11/2026\nTo: bob@x.test\n\n{TURN}",
    "proton": f"{OWN}\n\nSent with Proton Mail secure email.\n\n------- Original Message -------\nOn Friday, {WHO} wrote:\n\n{MARKED}",
    "bars for marks": f"{OWN}\n\nWaybill schreef op 20-11-2026 10:00:\n| TC is next.\n| pass\n",
    "below the quotation": f"On {WHEN} +0000, Waybill wrote:\n{MARKED}\n{OWN}\n\n-- \nBob\n",
    "between the quotations": "Waybill wrote on Friday:\n> Which tile?\nlay 57 G4 N-S\n> Dividend?\npay\n",
    "our sentinel": f"{OWN}\n\nStrangeMail 20.11.2026:\n{SENTINEL}\n{TURN}",
    "quoted sentinel, answer below": f"On {WHEN}, Waybill wrote:\n> {SENTINEL}\n{MARKED}\n{OWN}\n",
}


@pytest.mark.parametrize("text", QUOTING.values(), ids=QUOTING.keys())
def test_quotation_is_never_read_as_commands(text):
    reply = own_lines(text, ["Bob"])
    assert [line.text for line in reply.lines] == OWN.split("\n")
    assert reply.quoted


ENDINGS = {
    "signature": f"{OWN}\n-- \nBob\npass\n",
    "bare dashes": f"{OWN}\n--\nBob\n",
    "end": f"{OWN}\nEND\nbuy 3\n",
    "name": f"{OWN}\n\nBob\n",
    "thanks and name": f"{OWN}\n\nThanks,\nBob\n",
    "thanks and nickname": f"{OWN}\n\nCheers,\nBobby T.\n",
    "regards": f"{OWN}\n\nBest regards,\nBob Smith\nEngineer\n+1 555 0100\n",
    "german regards": f"{OWN}\n\nViele Grüße\nBob\n",
    "greeting": f"Hi all,\n\n{OWN}\n",
    "hello": f"hello waybill\n{OWN}\nthanks!\n",
    "android": f"{OWN}\n\nVon meinem Android-Gerät gesendet\n",
    "outlook phone": f"{OWN}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n",
    "mailing list": f"{OWN}\n\n_______________________________________________\nx mailing list\n",
    "google groups": f'{OWN}\n\nYou received this message because you are subscribed to the "x" group.\n',
    "disclaimer": f"{OWN}\n\nThis e-mail is confidential and may be privileged.\nbuy 3\n",
    "bullets": "- lay 57 G4 N-S\n* pay\n",
    "blank lines and rules": "lay 57 G4 N-S\n\n***\n\npay\n",
}


@pytest.mark.parametrize("text", ENDINGS.values(), ids=ENDINGS.keys())
def test_what_is_not_a_command_is_left_out(text):
    reply = own_lines(text, ["Bob", "Smith"])
    assert [line.text for line in reply.lines] == OWN.split("\n")
    assert not reply.quoted


def test_lines_keep_the_number_they_have_in_the_body():
    reply = own_lines("Hello Bob,\n\n> Which tile?\nlay 57 G4 N-S\n\npay; buy 3\n")
    assert reply.lines == (Line(4, "lay 57 G4 N-S"), Line(6, "pay; buy 3"))


def test_one_header_word_is_a_command_not_a_quotation():
    assert texts("buy 2 train\nFrom: B&O for 100\npass") == [
        "buy 2 train",
        "From: B&O for 100",
        "pass",
    ]


def test_own_words_about_writing_are_no_attribution():
    assert texts("say: Ann wrote me\nTo Bob I wrote:\npass") == [
        "say: Ann wrote me",
        "To Bob I wrote:",
        "pass",
    ]


def test_a_greeting_that_is_all_there_is_comes_back_as_a_question():
    assert texts("hi pass") == ["hi pass"]
    assert texts("hi\npass") == ["pass"]


def test_a_command_after_thanks_is_kept():
    assert texts("lay 57 G4\nthanks\nbuy 3 pool") == ["lay 57 G4", "buy 3 pool"]
    assert texts("lay 57 G4\nThanks,\nbuy 3 pool\nBob", "Bob") == ["lay 57 G4", "buy 3 pool"]


def test_a_name_alone_is_not_taken_for_a_signature():
    assert texts("Bob", "Bob") == ["Bob"]


def test_typographic_characters_become_plain():
    assert texts("say: “it’s\u00a0mine” \u2013 ﬁne … ＄120\u200b") == [
        'say: "it\'s mine" - fine ... $120'
    ]


def test_links_that_mail_programs_add_are_taken_off():
    assert texts("buy B.O<http://b.o/> from ipo <mailto:a@b.test>") == ["buy B.O from ipo"]


@pytest.mark.parametrize("delsp", [False, True])
def test_flowed_lines_are_joined_but_not_with_quotation_or_signature(delsp):
    gap = " " if delsp else ""
    text = f"buy 10% B&O from {gap}\nipo\npass\n> a long {gap}\n> quotation \n-- \nBob\n"
    assert unwrap_flowed(text, delsp).split("\n")[:5] == [
        "buy 10% B&O from ipo",
        "pass",
        "> a long quotation" + ("" if delsp else " "),
        "-- ",
        "Bob",
    ]


HTML = {
    "gmail": '<div dir="ltr"><div>lay 57 G4 N-S</div><div>pay<br></div></div><br><div class="gmail_quote gmail_quote_container"><div class="gmail_attr">On Friday Waybill wrote:<br></div><blockquote class="gmail_quote"><div>pass</div></blockquote></div>',
    "gmail, quotation without blockquote": '<div>lay 57 G4 N-S<br>pay</div><div class="gmail_quote">On Friday Waybill wrote:<div>pass</div></div>',
    "gmail, between": '<div class="gmail_quote"><div class="gmail_attr">On Friday Waybill wrote:</div><blockquote>tile?</blockquote><div>lay 57 G4 N-S</div><blockquote>pass</blockquote><div>pay</div></div>',
    "outlook desktop": '<html xmlns:o="x"><head><style>p{margin:0}</style><title>x</title></head><body><p>lay 57 G4 N-S<o:p></o:p></p><p>pay<o:p></o:p></p><p><o:p>&nbsp;</o:p></p><div><p><b>From:</b> Waybill &lt;g@x.test&gt;<br><b>Sent:</b> Friday<br><b>To:</b> Bob<br><b>Subject:</b> turn</p></div><p>pass</p></body></html>',
    "outlook on the web": '<div>lay 57 G4 N-S</div><div>pay</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Waybill</div>pass<div>pass</div>',
    "apple": '<body>lay 57 G4 N-S<div>pay<br><div><br><blockquote type="cite"><div>On 20 Nov 2026, Waybill wrote:</div>pass</blockquote></div></div></body>',
    "thunderbird": '<p>lay 57 G4 N-S<br>pay</p><div class="moz-cite-prefix">On 20/11/2026, Waybill wrote:<br></div><blockquote type="cite"><pre>pass</pre></blockquote>',
    "yahoo": '<div>lay 57 G4 N-S</div><div>pay</div><div class="yahoo_quoted"><div>On Friday, Waybill wrote:</div><div>pass</div></div>',
    "proton": '<div>lay 57 G4 N-S</div><div>pay</div><div class="protonmail_quote">On Friday, Waybill wrote:<br><blockquote>pass</blockquote></div>',
}


@pytest.mark.parametrize("html", HTML.values(), ids=HTML.keys())
def test_html_quotation_is_left_out(html):
    reply = own_lines(text_of_html(html))
    assert [line.text for line in reply.lines] == OWN.split("\n")
    assert reply.quoted


def test_html_text_is_told_by_lines():
    html = (
        '<p>buy 10% <a href="http://B.O">B&amp;O</a>\n from&nbsp;ipo</p><ul><li>pass</li></ul>'
        "<script>alert(1)</script><!-- buy 3 --><pre>say: a\nsay: b</pre>"
        '<div style="display:none">hidden</div><table><tr><td>sell</td><td>2 IC</td></tr></table>'
    )
    assert texts(text_of_html(html)) == [
        "buy 10% B&O from ipo",
        "pass",
        "say: a",
        "say: b",
        "sell 2 IC",
    ]


def test_html_may_nest_deeper_than_the_interpreter():
    assert text_of_html("<div>" * 5000 + "pass" + "</div>" * 5000) == "pass"
    assert text_of_html("") == ""
