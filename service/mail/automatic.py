"""Tells emails from programs, lists and filters apart from emails that a person wrote to Waybill.

RFC 3834 says which emails an automatic answer must never answer. Lists mark their emails by RFC
2369 and RFC 2919. Not every mark has the same weight, because honest emails of players have some of
them: a company's gateway adds them.

- **automatic**: a program wrote it. Waybill neither obeys nor answers it, whatever its From line
  says: "yes, I am away" is no move.
- **listed**: a list sent it out. It is not for Waybill, unless it was also sent to Waybill and to
  nobody else, which no list does (`direct`).
- **hushed**, **spam**: a server on the way asks for no automatic answers, or does not trust the
  email. A stranger gets no answer. A sender who proves a seat is obeyed and answered as usual.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

HeaderValues = Callable[[str], Sequence[str]]
"""The values of all headers of a name, each as one line."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs against a personal email to Waybill.

    Each is a reason in words, '' if there is none.
    """

    automatic: str = ""
    listed: str = ""
    hushed: str = ""
    spam: str = ""


def signs(values: HeaderValues, kind: str, sender: str, subject: str, ours: str) -> Signs:
    """The signs in the headers of an email.

    ``kind`` is its content type, ``sender`` its one bare address or '', ``subject`` the decoded
    subject. ``ours`` is the name of the header that all of Waybill's own emails have.
    """
    return Signs(
        next(_automatic(values, kind, sender, subject, ours), "")[:200],
        next(_listed(values), "")[:200],
        next(_hushed(values), "")[:200],
        next(_spam(values), "")[:200],
    )


def direct(traces: Sequence[str], addressed: Sequence[str], *mailboxes: str) -> bool:
    """Whether an email went only to Waybill, and so not through a list.

    It looks at the delivery, or otherwise at To and Cc. ``traces`` are the addresses to which the
    email was delivered. A list delivers to the plain address of its subscriber, and leaves its own
    address in To.
    """
    if any("+" in one and _is_ours(one, *mailboxes) for one in traces):
        return True
    return bool(addressed) and all(_is_ours(one, *mailboxes) for one in addressed)


def _is_ours(address: str, *mailboxes: str) -> bool:
    local, _, host = address.lower().rpartition("@")
    ours = (mailbox.lower().rpartition("@") for mailbox in mailboxes)
    return any(
        host == our_host and (local == own or local.startswith(f"{own}+"))
        for own, _, our_host in ours
    )


# ---------------------------------------------------------------------------- programs

# RFC 3834 §2, RFC 2142, and the names and reply addresses that list managers use.
ROBOT = re.compile(
    r"(?=[^@]*@)(?:(?:mailer-daemon|postmaster|(?:no|do-?not)[-_.]?reply|bounces?|owner|listserv|listproc|sympa|"
    r"majordomo|mailman|autoreply|autoresponder)(?:[-+.=][^@]*)?|owner-[^@]*|"
    r"[^@]*-(?:request|bounces?)|"
    r"[^@]*[-+](?:owners?|confirm|confsub|confunsub|subconf|unsubconf|msgappr|msgdeny|no-?reply)"
    r"(?:[-+=][^@]*)?)@.*",
    re.I | re.DOTALL,
)
# Prefixes that gateways and mail programs put before a subject, any number of them.
_PREFIX = re.compile(
    r"(?:\[[^\]]{1,40}\]|\{[^}]{1,40}\}|\*{2,}[^*]{1,40}\*{2,}|"
    r"(?:re|aw|sv|vs|antw|antwort|ref|rif|fw|fwd|wg|tr|odp|ext|external|extern|externe|caution|"
    r"warning|spam)\s?(?:\[\d+\])?\s?:)\s*",
    re.I,
)
_AWAY = re.compile(
    r"auto(?:matic|mated|mail)?[- ]?(?:reply|response|answer|responder)|"
    r"out[- ]of[- ](?:the[- ])?office|ooo\b|"
    r"(?:i am |i'm )?away from (?:the|my) (?:office|desk|mail)|"
    r"vacation (?:reply|response|notice|message)|"
    r"abwesend|abwesenheit|automatische (?:rück)?antwort|automatisch antwoord|außer haus|"
    r"afwezig|réponse automatique|absence du bureau|absent(?:e|\(e\))? du bureau|"
    r"message d.absence|respuesta automática|contestación automática|fuera de (?:la )?oficina|"
    r"resposta automática|fora do escritório|risposta automatica|fuori (?:sede|ufficio)|"
    r"autosvar|automatiskt? svar|frånvaro|fravær|ikke til stede|automaattinen vastaus|poissa\b|"
    r"automatyczna odpowiedź|odpowiedź automatyczna|autoodpowiedź|poza biurem|"
    r"automatická odpove[dď]|automatická odpověď|mimo kancelář|automatikus válasz|házon kívül|"
    r"răspuns automat|otomatik yanıt|ofis dışında|автоматический ответ|автоответ|"
    r"автоматична відповідь|αυτόματη απάντηση|自動応答|自動返信|自动答复|自动回复|自動回覆|"
    r"자동 ?(?:회신|응답)|부재중|"
    r"undeliver|delivery (?:status notification|failure)|"
    r"mail delivery (?:failed|failure|system)|returned mail|failure notice|nicht zustellbar|"
    r"unzustellbar|(?:read|gelesen|lu|leída|letto|gelezen|läst|lido) ?:",
    re.I,
)
_ANSWERING = (
    "X-Autoreply",
    "X-Auto-Reply",
    "X-Autorespond",
    "X-Autogenerated",
    "X-Auto-Reply-From",
    "X-Mail-Autoreply",
    "X-Vacation",
    "X-Cron-Env",
)
# `no`, perhaps with a comment or parameters (RFC 3834 §5).
_BY_HAND = re.compile(r"no\s*(?:[;(].*)?", re.I)


SENT_BY = "sent by {sender}"
OUR_OWN = "an email of our own"
EMPTY_RETURN_PATH = "an empty Return-Path"


def _automatic(
    values: HeaderValues, kind: str, sender: str, subject: str, ours: str
) -> Iterator[str]:
    if any(values(ours)):
        yield OUR_OWN
    for told in values("Auto-Submitted"):
        # One honest "no" does not outweigh another field that names a kind.
        if told and not _BY_HAND.fullmatch(told):
            yield f"Auto-Submitted: {told}"
    if "<>" in values("Return-Path"):
        yield EMPTY_RETURN_PATH
    if kind in ("multipart/report", "message/disposition-notification", "message/delivery-status"):
        yield "a delivery or read report"
    if any(values("X-Failed-Recipients")):
        yield "a delivery report"
    listed = any(any(values(name)) for name in ("List-Id", "Mailing-List"))
    for precedence in values("Precedence"):
        # Old vacation programs say only this; groups.io says it in every post.
        if precedence.lower() in ("bulk", "junk", "auto_reply") and not listed:
            yield f"Precedence: {precedence}"
    for name in _ANSWERING:
        if any(values(name)):
            yield f"{name} is set"
    if ROBOT.fullmatch(sender):
        yield SENT_BY.format(sender=sender)
    if _AWAY.match(_bare(subject)):
        yield "the subject of an automatic reply"
    if not sender:
        yield "no single sender address"


def _bare(subject: str) -> str:
    """The subject without its prefixes."""
    at = 0
    while found := _PREFIX.match(subject, at):
        at = found.end()
    return subject[at:].lstrip()


# ---------------------------------------------------------------------------- lists and filters

_LIST_HEADERS = ("List-Id", "List-Post", "Mailing-List", "X-Mailing-List", "X-BeenThere")
_LIST_SENDER = re.compile(
    r"(?=[^@]*@)<?(?:owner-[^@]*|[^@]*-(?:owner|request|bounces?|return)(?:[-+=][^@]*)?"
    r"|listserv|majordomo)@.*",
    re.I | re.DOTALL,
)


def _listed(values: HeaderValues) -> Iterator[str]:
    for name in _LIST_HEADERS:
        if any(values(name)):
            yield f"spread by a list: {name} is set"
    for precedence in values("Precedence"):
        if precedence.lower() == "list":
            yield "spread by a list: Precedence: list"
    for name in ("Return-Path", "Sender"):
        for value in values(name):
            if _LIST_SENDER.fullmatch(value.rpartition("<")[2]):
                yield f"spread by a list: {name}: {value}"


def _hushed(values: HeaderValues) -> Iterator[str]:
    for value in values("X-Auto-Response-Suppress"):
        # [MS-OXCMAIL] 2.1.3.2.20: the other words are about reports and absence notes.
        if {word.strip() for word in value.lower().split(",")} & {"all", "autoreply"}:
            yield f"X-Auto-Response-Suppress: {value}"
    for name in ("List-Unsubscribe", "List-Help", "List-Owner", "List-Subscribe"):
        if any(values(name)):
            yield f"{name} is set"


def _spam(values: HeaderValues) -> Iterator[str]:
    for name in ("X-Spam-Flag", "X-Spam-Status", "X-Spam"):
        for value in values(name):
            if value.lower().startswith("yes"):
                yield f"{name}: {value}"
