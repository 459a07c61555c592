"""Subjects of answers: what a mail was about, without what earlier mails put around it."""

import re

from service.reports.outcome import SUBJECT_ENDINGS

#: what mail programs put before a subject that they answer or pass on, in several languages
_ANSWERS = re.compile(
    r"(?:re|aw|antw|sv|vs|odp|rif|ref|res|r|fwd?|fw|wg|tr)(?:\[\d+\])?\s*:\s*", re.IGNORECASE
)
#: what games and lists put before a subject
_TAG = re.compile(r"\[[^\]]{1,100}\]\s*")
#: what we put into subjects: it holds for one mail only
_LEAD = re.compile(r"^(?:NO LONGER YOUR TURN|YOUR (?:TURN|ANSWER)):\s*")
_UNTIL = re.compile(r", by [A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d\d:\d\d\s*$")
_ENDINGS = tuple(f"{dash} {one}" for dash in "–-" for one in SUBJECT_ENDINGS)

UNPROVED = "your email"
"""What an answer to a mail that proves nothing calls it: its own subject may be an advertisement,
and the address that it names somebody's who never wrote it."""


def answering(subject: str, ending: str = "") -> str:
    """The subject of an answer: one ``Re:``, each tag once, no YOUR TURN, no deadline.

    ``ending`` is what became of this mail; what became of others is left out.

    ``Re: AW: [dixie7] YOUR TURN: M&O operates – NOT DONE`` → ``Re: [dixie7] M&O operates``;
    ``[Trains] Re: [Trains] Re: [dixie7] SR 1`` → ``Re: [Trains] [dixie7] SR 1``.
    """
    bare, tags = subject.strip(), dict[str, str]()
    while found := _ANSWERS.match(bare) or _TAG.match(bare):
        if found.re is _TAG:
            tags.setdefault(found[0].strip().casefold(), found[0].strip())
        bare = bare[found.end() :]
    while bare.endswith(_ENDINGS):
        bare = bare[: max(map(bare.rfind, "–-"))].rstrip()
    bare = " ".join((*tags.values(), _UNTIL.sub("", _LEAD.sub("", bare)).strip())).strip()
    return f"Re: {bare or UNPROVED}" + (f" – {ending}" if ending else "")
