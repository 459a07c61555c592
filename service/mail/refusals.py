"""Whose trouble a refusing answer of an SMTP server is, and what it means in plain words.

Enhanced status codes decide where there are any (RFC 3463 §3, RFC 5248): those of addresses, X.1.x,
are the recipient's but for the sender's, X.1.7 and X.1.8; those of policy, X.7.x, are ours where
they are said before a word of the letter is. Without a code the words decide. Words about how much
an account may send go before all codes: providers say them under any code, 5.4.5 and 5.2.0 among
them, and mean "not now". Where each answer that the tests hold was seen, they say.
"""

import re
from collections.abc import Collection
from typing import Literal

Stage = Literal["mail", "rcpt", "data"]
"""What was answered: MAIL FROM, RCPT TO, or the letter itself."""
Whose = Literal["limit", "account", "perhaps", "recipient", "message", "server"]
"""Whose trouble: our account has sent all that it may for now; our account may not send so; our
account, if no other letter passes, else the letter's; the recipient or their mailbox; this letter;
a server, for now."""
Fate = Literal["limited", "denied", "perhaps", "later", "never"]
"""What follows: the letter waits and so do all others; the letter waits; it waits if no other
passes; it is tried again, not without end; it has failed."""

_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_CODE = re.compile(r"(?<![\d.])([45]\d\d)(?![\d.])")
_LOG_IN = (530, 534, 535, 538)
"""Authentication required, or not good enough (RFC 4954 §6)."""
_TOO_LARGE = 552
"""Said at MAIL FROM already (RFC 1870 §6.1)."""
_SENDER = ("1.7", "1.8")
_OURS = (
    *("7.8", "7.9", "7.10", "7.11", "7.12", "7.13", "7.14", "7.54", "7.57", "7.60"),
    *("7.64", "7.708", "7.750"),
)
"""Log-in, encryption, an account that may not (RFC 5248), and what Exchange says of the same."""
_MANY = ("1.90", "1.92", "4.5", "7.705", *(f"2.{number}" for number in range(251, 256)))
"""Gmail's daily limit, 5.4.5, and Exchange's (only as 5.x.x)."""
_LIMIT = re.compile(
    # daily user sending limit exceeded; your mail limit has been reached
    r"\b(sending|send|outgoing|outbound|relay|submission|daily|hourly|message count|mail)\b"
    r"[^.;:]{0,30}\b(limit|quota)s?\b[^.;:]{0,12}\b(exceeded|reached)\b"
    # you have exceeded your … quota; it has exceeded its … sending limit, the max emails per hour
    r"|\byou(\'ve| have)? (exceeded|reached) your [^.;:]{0,30}\b(limit|quota)s?\b"
    r"|\byou(\'ve| have) reached a (Gmail )?limit for sending"
    r"|\bexceeded (its|your|the) [^.;:]{0,30}\b(sending limit|per (hour|day|minute))"
    r"|\blimit of \d+ [^.;:]{0,20}per \d* ?(hour|day|minute)s?\b[^;]{0,80}\breached"
    r"|\bmax(imum)? (of )?\d+ (requests|messages|mails|emails|recipients) per (hour|day|minute)"
    r"|\bnumber (messages|recipients) per (hour|day|minute) exceeded"
    r"|\btoo many (messages|mails|emails) (from (this )?sender|per (hour|day|minute))"
    r"|\b(sending|submission) rate\b[^.;]{0,30}\bexceeded|\brate ?limit\b[^.;]{0,30}\bexceeded"
    r"|\bthrottling failure\b|\bsender (is )?throttled\b|\bmaximum credits exceeded\b"
    r"|\b(concurrent connections?|sender thread) limit exceeded"
    r"|SubmissionQuotaExceeded|RefuseQuota|OutboundSpamException"
    r"|\btenant has exceeded threshold|\bunusual sending activity",
    re.IGNORECASE,
)
_OWN_FULL = re.compile(r"STOREDRV\.Submission\.Exception:\w*Quota", re.IGNORECASE)
"""Exchange cannot keep a copy of what we send: our own mailbox is full."""
_RELAY = re.compile(
    r"relay(ing)?( access)?( is)? (denied|prohibited|not (permitted|allowed|supported))"
    r"|(no|not|cannot|unable to|don't) relay|not authenticated|must (authenticate|log ?in)"
    r"|log ?in (is )?(first|required)|authenticat\w+( is)? (required|needed)",
    re.IGNORECASE,
)
_UNWANTED = re.compile(
    r"sender( address)?( was| is)? (rejected|refused|denied|not allowed|blocked)"
    r"|send as this sender"
    r"|not owned by|client (host|address) .*(rejected|blocked)"
    r"|not (allowed|permitted|authori[sz]ed) to send",
    re.IGNORECASE,
)
_READER = re.compile(r"(recipient|mailbox|user)\b", re.I)
_UNKNOWN = re.compile(r"\b(rejected|refused|unknown|not found)", re.I)
_QUOTA = re.compile(r"\bquota\b", re.IGNORECASE)
_FULL = re.compile(
    r"(?<!\d)[45]52(?!\d)|mailbox (?:is )?(?:full|over)|quota|too (?:large|big)", re.I
)
#: full, the letter too large for the mailbox, the system's disk full, the letter too large for it
_NOT_GONE = (("2", "2"), ("2", "3"), ("3", "1"), ("3", "4"))
UNANSWERED = "it may have arrived"
"""How the note of a letter begins whose text a server has, and never answered to."""
_OUR_PROVIDER = "our own mail provider does not let us send it now"
_WHY = (
    (r"\b[245]\.2\.2\b|\b[45]52\b|mailbox (?:is )?full|quota", "their mailbox is full"),
    (r"\b[45]\.2\.1\b", "their mailbox is switched off"),
    (r"\b5\.1\.[0-3]\b|\b5\.1\.10\b|\b551\b|\b553\b", "there is no such address"),
    (r"\b5\.7\.\d", "their mail server does not want our emails"),
    (r"\b[45]\.3\.4\b", "the email is too large for their mail server"),
    (r"\b4\.4\.\d|\b5\.4\.\d", "their mail server cannot be reached"),
    (r"\b550\b", "their mail server refuses emails to that address"),
)


def whose(code: int, words: str, stage: Stage) -> Whose:
    """Whose trouble an answer 4xx or 5xx is.

    What is only put off, as by a greylist, is not ours, unless it speaks of a limit, of relaying or
    of a log-in.
    """
    kind, subject, detail = _status(words)
    number = f"{subject}.{detail}"
    if _limit(kind, number, words):
        return "limit"
    if _OWN_FULL.search(words) or code in _LOG_IN or number in _SENDER:
        return "account"
    if stage == "mail" and code >= 500:
        return "message" if code == _TOO_LARGE or subject == "3" else "account"
    if subject not in ("", "0", "7"):
        return _letter(code, subject, detail)  # whatever the words are
    if _RELAY.search(words):
        return "account"
    if code < 500:
        return _letter(code, subject, detail)
    if number in _OURS or _UNWANTED.search(words):
        return "account"
    policy = subject == "7" and stage == "rcpt"
    if policy and (_QUOTA.search(words) or not _theirs(words)):
        return "perhaps"
    return "recipient" if stage == "rcpt" and subject != "7" else _letter(code, subject, detail)


def _theirs(words: str) -> bool:
    """Whether a refusal speaks of the reader's address."""
    reader = _READER.search(words)
    return reader is not None and _UNKNOWN.search(words, reader.end()) is not None


def fate(concerned: Collection[Whose], later: bool) -> Fate:
    """What becomes of a letter by whose trouble its answers are; ``later`` if one is 4xx."""
    if "limit" in concerned:
        return "limited"
    if "account" in concerned:
        return "denied"
    if "perhaps" in concerned:
        return "perhaps"
    return "later" if later else "never"


def ours(note: str) -> bool:
    """Whether a server's words, as noted of a letter, speak of our own account."""
    kind, subject, detail = _status(note)
    return bool(_limit(kind, f"{subject}.{detail}", note) or _OWN_FULL.search(note))


def gone(note: str) -> bool:
    """Whether a server's words mean that no letter will arrive at that address.

    A mailbox that is full is not gone, nor one whose server is away, nor whom our own account may
    not write to now. What names neither a status nor a code is no server's word.
    """
    if note.startswith(UNANSWERED) or ours(note):
        return False
    kind, subject, detail = _status(note)
    if kind:
        return kind == "5" and (subject, detail) not in _NOT_GONE
    code = _CODE.search(note)
    return code is not None and code[1].startswith("5") and _FULL.search(note) is None


def plainly(note: str) -> str:
    """Why a letter did not arrive, from status and words of a server (RFC 3463, RFC 5321 §4.2)."""
    if note.startswith(UNANSWERED):
        return "our mail server never said whether it took it, so it may have arrived"
    if ours(note):
        return _OUR_PROVIDER
    found = (words for pattern, words in _WHY if re.search(pattern, note, re.IGNORECASE))
    return next(found, "their mail server did not take it")


def _status(words: str) -> tuple[str, str, str]:
    found = _STATUS.search(words)
    return (found[1], found[2], found[3]) if found else ("", "", "")


def _limit(kind: str, number: str, words: str) -> bool:
    """Whether an answer says that our account has sent all that it may for now."""
    if kind == "5" and number in _MANY:
        return True
    # X.2.2 is a mailbox that is full (RFC 3463 §3.3), whatever it calls its quota.
    return number != "2.2" and _LIMIT.search(words) is not None


def _letter(code: int, subject: str, detail: str) -> Whose:
    """Whose trouble an answer is that is not ours."""
    if subject in ("1", "2"):
        return "recipient"
    if code < 500 or (subject in ("3", "4") and (subject, detail) != ("3", "4")):
        return "server"
    return "message"
