"""What a refusing answer of an SMTP server is about: the letter, or us who hand it over.

Enhanced status codes decide where there are any (RFC 3463 §3, RFC 5248): those of addresses, X.1.x,
are the letter's but for the sender's, X.1.7 and X.1.8; those of policy, X.7.x, are ours where they
are said before a word of the letter is. Without a code the words decide.
"""

import re
from typing import Literal

Stage = Literal["mail", "rcpt", "data"]
"""What was answered: MAIL FROM, RCPT TO, or the letter itself."""
Concern = Literal["account", "perhaps", "letter"]
"""Whom a refusal concerns; "perhaps" our account, if no other letter passes."""

_STATUS = re.compile(r"(?<![\d.])[245]\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_LOG_IN = (530, 534, 535, 538)
"""Authentication required, or not good enough (RFC 4954 §6)."""
_TOO_LARGE = 552
"""Said at MAIL FROM already (RFC 1870 §6.1)."""
_SENDER = ("1.7", "1.8")
_OURS = ("7.8", "7.9", "7.10", "7.11", "7.12", "7.13", "7.14", "7.54", "7.57", "7.60")
"""Log-in, encryption, an account that may not (RFC 5248), and what Exchange says of the same."""
_RELAY = re.compile(
    r"relay(ing)?( access)?( is)? (denied|prohibited|not (permitted|allowed|supported))"
    r"|(no|not|cannot|unable to|don't) relay|not authenticated|must (authenticate|log ?in)"
    r"|log ?in (is )?(first|required)|authenticat\w+( is)? (required|needed)",
    re.IGNORECASE,
)
_UNWANTED = re.compile(
    r"sender( address)?( was| is)? (rejected|refused|denied|not allowed)|send as this sender"
    r"|not owned by|client (host|address) .*(rejected|blocked)"
    r"|not (allowed|permitted|authori[sz]ed) to send",
    re.IGNORECASE,
)
_READER = re.compile(r"(recipient|mailbox|user)\b", re.I)
_UNKNOWN = re.compile(r"\b(rejected|refused|unknown|not found)", re.I)


def concern(code: int, words: str, stage: Stage) -> Concern:
    """Whom an answer 4xx or 5xx concerns.

    What is only put off, as by a greylist, is the letter's, unless it speaks of relaying or log-in.
    """
    status = _STATUS.search(words)
    subject, detail = status.groups() if status else ("", "")
    number = f"{subject}.{detail}"
    if code in _LOG_IN or number in _SENDER:
        return "account"
    if stage == "mail" and code >= 500:
        return "letter" if code == _TOO_LARGE or subject == "3" else "account"
    if subject not in ("", "0", "7"):
        return "letter"  # an address, a full mailbox, a size, whatever the words are
    if _RELAY.search(words):
        return "account"
    if code < 500:
        return "letter"
    if number in _OURS or _UNWANTED.search(words):
        return "account"
    policy = subject == "7" and stage == "rcpt"
    reader = _READER.search(words)
    theirs = reader and _UNKNOWN.search(words, reader.end())
    return "perhaps" if policy and not theirs else "letter"
