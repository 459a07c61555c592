"""Notification mails as Discourse sends them, made after its code and templates.

See `service/mail/forums.py` for which.
"""

from email.message import EmailMessage

HOST = "forum.players.test"
SENDER = f"noreply@{HOST}"
REPLY = f"incoming+4f2b8c@{HOST}"
TOPIC = 41


def notification(
    writer="ann18",
    *lines,
    shown="",
    topic=TOPIC,
    number=7,
    host=HOST,
    sender=SENDER,
    reply_to=REPLY,
    to="play@waybill.test",
    before=(),
    archive="",
    users="u",
    html=None,
    old=False,
):
    """A post of ``writer`` in a thread; ``before`` are (name, text) of earlier posts that go along.

    ``shown`` is the name beside From, which a user chooses. ``old`` is the form of old versions.
    """
    text = "\n".join(lines)
    place = f"https://{host}/t/dixie7-a-game/{topic}"
    earlier = "".join(f"{said}\n\nPosted by {name} on 11/22/2026\n\n" for name, said in before)
    context = f"{'---' if old else '-- '}\n*Previous Replies*\n{earlier}" if before else ""
    posted = f"Posted by {writer} on 11/22/2026\n\n" if old else ""
    plain = (
        f"\n\n{text}\n\n{posted}\n{context}\n"
        f"---\n[Visit Topic]({place}/{number}) or reply to this email to respond.\n"
    )
    mail = EmailMessage()
    mail["From"] = f"{shown or writer} via Trains <{sender}>"
    mail["To"] = to
    mail["Reply-To"] = f"Trains <{reply_to}>" if reply_to else f"Trains <{sender}>"
    mail["Subject"] = "[Trains] dixie7, a game"
    mail["Message-ID"] = f"<discourse/post/{number}@{host}>"
    mail["References"] = f"<discourse/post/1@{host}>"
    mail["Precedence"] = "list"
    mail["List-ID"] = f"Trains | Games <games.{host}>"
    mail["List-Archive"] = archive or place
    mail["List-Unsubscribe"] = f"<https://{host}/email/unsubscribe/0f>"
    if not old:
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        mail["X-Discourse-Post-Id"] = str(number)
        mail["X-Discourse-Topic-Id"] = str(topic)
    mail["X-Auto-Response-Suppress"] = "All"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(plain)
    body = "".join(f"<p>{line}</p>" for line in lines) if html is None else html
    own = _post(host, users, writer, body)
    others = "".join(_post(host, users, name, f"<p>{said}</p>") for name, said in before)
    previous = f"<h4>Previous Replies</h4>{others}" if before else ""
    mail.add_alternative(
        f"<div><div></div>{own}{previous}<hr><div><p><a href='{place}/{number}'>Visit Topic</a> or "
        "reply to this email to respond.</p></div></div>",
        subtype="html",
    )
    return mail.as_bytes()


def _post(host, users, writer, body):
    return (
        f"<table><tbody><tr><td><img src='https://{host}/a.png' title='{writer}'></td><td>"
        f"<a href='https://{host}/{users}/{writer}'>{writer}</a><br><span>22 Nov</span></td></tr>"
        f"<tr><td>{body}</td></tr></tbody></table>"
    )


def rejection(subject="[Trains] Email issue -- Posting error", sender=SENDER):
    """What Discourse answers to a mail that it does not take."""
    mail = EmailMessage()
    mail["From"] = f"Trains <{sender}>"
    mail["To"] = "play@waybill.test"
    mail["Subject"] = subject
    mail["Message-ID"] = f"<0f7d@{HOST}>"
    mail["X-Auto-Response-Suppress"] = "All"
    mail.set_content("We're sorry, but your email message didn't work.")
    return mail.as_bytes()
