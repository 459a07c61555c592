"""Emails about tournaments by people without an office, and texts that a program might execute."""

from random import Random

from service.workshop.practice.hostile import Hostile, mail

#: text that a spreadsheet, page, email or terminal might execute
TEXTS = (
    '=HYPERLINK("http://evil.test/","x")', "+1+1", "-2+3", "@SUM(A1)", "\t=1+1", "|cmd", "'=1",
    '"=1', "<script>alert(1)</script>", "<img src=http://evil.test/x.png>", "{{ 7*7 }}",
    "{% raw %}", "[x](http://evil.test/)", "x\r\nBcc: eve@evil.test", "\x1b[2J", "\u202eevil",
    "Ann", "ann", "Аnn", "Ann\u200b", "director", "a" * 300, "javascript:alert(1)", "../../etc",
    "NUL", "CON", "%s%n", "\x00", "é" * 60, "Dora", "Waybill",
)  # fmt: skip
_DIRECTING = (
    "entries", "close", "open", "admit Ann", "exclude Bob because x", "withdraw Ann because x",
    "seat", "start", "table 1.1", "tables", "standbys", "standings json", "yes", "announce: {t}",
    "rules", "rules\r\nround 1 titles: 18GA\r\nannouncement: {t}", "propose {t}", "rule: {t}",
    "report", "adjudicate 1.1 because x", "hold because x", "resume because x",
    "assistant eve@evil.test", "log", "finish", "abandon because x",
    "correct 1.1: Ann 1 because x", "vote 1 yes", "no", "address eve@evil.test",
    "zone Europe/Paris", "withdraw",
)  # fmt: skip
_FORM = (
    "round 1 titles: {t}", "announcement: {t}", "clock: {t}", "places: {n}", "rounds: {n}",
    "{t}: {t}",
)  # fmt: skip


_ASKING = (
    "tournament {t}", "standings {c} json", "tournaments", "standings {t}", "tournament {c}",
)  # fmt: skip
_ENTERING = ("enter {c} as {t}{m}", "enter {c}", "standby {c} as {t}", "withdraw {c}")
_KNOWN = ("dora@clubs.test", "ann@players.test", "bob@players.test")


def tournament_mail(
    dice: Random, number: int, service: str, tournament: str, offices: tuple[str, ...]
) -> Hostile:
    """A random one by a stranger or an entrant; ``offices`` are addresses of the tournament."""
    text, to = dice.choice(TEXTS), service
    many = dice.choice((f"eve@evil{number % 97}.test", f"+{number}=cmd@evil.test"))
    sender = stranger = dice.choice(("eve@evil.test", many))
    match dice.randrange(5):
        case 0 | 1:
            kind, more = "a forged entry", dice.choice(("", f", {text}"))
            line = dice.choice(_ENTERING).format(c=tournament, t=text, m=more)
            sender = dice.choice((stranger, stranger, *_KNOWN[:2]))
        case 2:
            kind, form = (
                "a new tournament",
                [dice.choice(_FORM) for _ in range(dice.randrange(1, 9))],
            )
            filled = "\r\n".join(form).format(t=text, n=dice.choice((0, -1, 2, 10**9, "x")))
            line = f"tournament new {text}\r\n{filled}"
        case 3:
            kind, line = "a question", dice.choice(_ASKING).format(c=tournament, t=text)
        case _:
            kind, line = "a director's command", dice.choice(_DIRECTING).format(t=text)
            to, sender = dice.choice((service, *offices)), dice.choice((stranger, *_KNOWN))
    return Hostile(kind, _mail(sender, to, f"tournament.{number}", line, dice), "tournaments")


def _mail(sender: str, to: str, key: str, text: str, dice: Random) -> bytes:
    shown = (
        dice.choice(TEXTS).replace("\r\n", " ").replace("\x00", "") if dice.random() < 0.3 else ""
    )
    headers = (f"From: {shown} <{sender}>",) if shown else ()
    return mail(sender, to, key, f"\r\n{text}\r\n".encode(), *headers, subject="moves")
