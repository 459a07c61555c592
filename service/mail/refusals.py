"""Decides from an SMTP server's refusal whose trouble it is, and explains it in plain words.

Enhanced status codes decide if there are any (RFC 3463 §3, RFC 5248). Address codes, X.1.x, are the
recipient's trouble, except for the sender's, X.1.7 and X.1.8. Policy codes, X.7.x, are ours if the
server sends them before the text of the letter. Without a code the words decide. Words about the
sending limit of an account override all codes, because providers send them with any code, for
example 5.4.5 and 5.2.0, and mean "not now". The tests name the source of each answer that they
contain.
"""

import re
from collections.abc import Collection
from typing import Literal

SmtpStage = Literal["mail", "rcpt", "data"]
"""The answered command: MAIL FROM, RCPT TO, or the letter itself."""
Whose = Literal["limit", "account", "perhaps", "recipient", "message", "server"]
"""The party that must act on an answer.

limit: our account has sent as much as it may for now. account: our account may not send this way.
perhaps: our account's trouble if no other letter passes, otherwise the letter's. recipient: the
recipient's or their mailbox's. message: this letter's. server: a server's, for now.
"""
Fate = Literal["limited", "denied", "perhaps", "later", "never"]
"""The result for the letter.

limited: the letter and all others wait. denied: the letter waits. perhaps: it waits if no other
letter passes. later: it is tried again, a limited number of times. never: it has failed.
"""

_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_CODE = re.compile(r"(?<![\d.])([45]\d\d)(?![\d.])")
_LOG_IN = (530, 534, 535, 538)
"""Authentication is missing or insufficient (RFC 4954 §6)."""
_TOO_LARGE = 552
"""Servers send it already at MAIL FROM (RFC 1870 §6.1)."""
_SENDER = ("1.7", "1.8")
_OURS = (
    *("7.8", "7.9", "7.10", "7.11", "7.12", "7.13", "7.14", "7.54", "7.57", "7.60"),
    *("7.64", "7.708", "7.750"),
)
"""Login, encryption, an account without permission (RFC 5248), and Exchange's codes for these."""
_MANY = (
    *("1.90", "1.92", "4.5", "7.232", "7.233", "7.236", "7.705"),
    *(f"2.{number}" for number in range(251, 256)),
)
"""Gmail's daily limit, 5.4.5, and Exchange's (only as 5.x.x)."""
_SUBMISSION = re.compile(r"\bsubmission quota exceeded\b", re.IGNORECASE)
"""Exchange's limit, with the status of a full mailbox."""
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
"""Exchange cannot keep a copy of our letter: our own mailbox is full."""
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
#: full mailbox, letter too large for the mailbox, full disk of the system, letter too large for the
#: system
_NOT_GONE = (("2", "2"), ("2", "3"), ("3", "1"), ("3", "4"))
UNANSWERED = "it may have arrived"
"""The beginning of the note on a letter whose text a server got and never answered."""
UNSAID = "our mail server never said whether it took it, so it may have arrived"
OUR_PROVIDER = "our own mail provider does not let us send it now"
MAILBOX_IS_FULL = "their mailbox is full"
_WHY = (
    (r"\b[245]\.2\.2\b|\b[45]52\b|mailbox (?:is )?full|quota", MAILBOX_IS_FULL),
    (r"\b[45]\.2\.1\b", "their mailbox is switched off"),
    (r"\b5\.1\.[0-3]\b|\b5\.1\.10\b|\b551\b|\b553\b", "there is no such address"),
    (r"\b5\.7\.\d", "their mail server refuses Waybill's emails"),
    (r"\b[45]\.3\.4\b", "the email is too large for their mail server"),
    (r"\b4\.4\.\d|\b5\.4\.\d", "their mail server cannot be reached"),
    (r"\b550\b", "their mail server refuses emails to that address"),
)


def whose(code: int, words: str, stage: SmtpStage) -> Whose:
    """Decide whose trouble an answer 4xx or 5xx is.

    A mere delay, such as by a greylist, is not our trouble, unless the answer mentions a limit,
    relaying or a login.
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
    """Whether a refusal is about the recipient's address."""
    reader = _READER.search(words)
    return reader is not None and _UNKNOWN.search(words, reader.end()) is not None


def fate(concerned: Collection[Whose], later: bool) -> Fate:
    """The result for a letter from the causes of its answers; ``later`` if one answer is 4xx."""
    if "limit" in concerned:
        return "limited"
    if "account" in concerned:
        return "denied"
    if "perhaps" in concerned:
        return "perhaps"
    return "later" if later else "never"


def ours(note: str) -> bool:
    """Whether a server's answer, as noted for a letter, is about our own account."""
    kind, subject, detail = _status(note)
    return bool(_limit(kind, f"{subject}.{detail}", note) or _OWN_FULL.search(note))


def gone(note: str) -> bool:
    """Whether a server's answer means that no letter will arrive at that address.

    That does not hold for a full mailbox, a server that is down, or an address to which our own
    account may not write now. A note without a status or a code is no server's answer.
    """
    if note.startswith(UNANSWERED) or ours(note):
        return False
    kind, subject, detail = _status(note)
    if kind:
        return kind == "5" and (subject, detail) not in _NOT_GONE
    code = _CODE.search(note)
    return code is not None and code[1].startswith("5") and _FULL.search(note) is None


def plainly(note: str) -> str:
    """Why a letter did not arrive, from a server's status and words (RFC 3463, RFC 5321 §4.2)."""
    if note.startswith(UNANSWERED):
        return UNSAID
    if ours(note):
        return OUR_PROVIDER
    found = (words for pattern, words in _WHY if re.search(pattern, note, re.IGNORECASE))
    return next(found, "their mail server did not take it")


def _status(words: str) -> tuple[str, str, str]:
    found = _STATUS.search(words)
    return (found[1], found[2], found[3]) if found else ("", "", "")


def _limit(kind: str, number: str, words: str) -> bool:
    """Whether an answer says that our account has reached its sending limit for now."""
    if (kind == "5" and number in _MANY) or _SUBMISSION.search(words):
        return True
    # X.2.2 is a full mailbox (RFC 3463 §3.3), whatever the server calls its quota.
    return number != "2.2" and _LIMIT.search(words) is not None


def _letter(code: int, subject: str, detail: str) -> Whose:
    """Decide whose trouble an answer is, if it is not ours."""
    if subject in ("1", "2"):
        return "recipient"
    if code < 500 or (subject in ("3", "4") and (subject, detail) != ("3", "4")):
        return "server"
    return "message"
