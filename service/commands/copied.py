"""Words that LEGAL NOW writes beside a command, and that people copy with it; knows no command."""

import re

_MONEY = r"\$[\d,]+"
#: what follows a command in LEGAL NOW; an amount that the reader of commands checks stays
_EXPLAINED = re.compile(
    r"(?<=[^ ]) (?:"
    r"\(\d+% in the (?:IPO|treasury|open market)\)"
    rf"|\(highest bid now: [^()]+\)"
    rf"|costs {_MONEY} for \d+%"
    r"|costs nothing: the \d+% came with the private company"
    rf"|{_MONEY}, or fewer"
    rf"|frees your {_MONEY} for other bids"
    r"|is the best (?:run|run that was found): .+"
    r"|needs no track: .+"
    r"|is the train that earns nothing; .+"
    r"|the sale takes place|it is done|nothing changes"
    r"|\([^() ]+ is asked\)"
    r")$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"^(pass|done) (?:do nothing(?: more(?:; only needed if you write no other move)?)?"
    r"|you give up [^ ]+: it goes to .+)$",
    re.IGNORECASE,
)
_EACH = re.compile(rf", {_MONEY} each$|: [^ :]+ pays {_MONEY} each$")
_IF = re.compile(r", only if you withhold$")
_HELP = re.compile(rf"(?:, {_MONEY} of it (?:borrowed|your own)){{1,2}}$")
#: "buy 2 a 2 train for $100"
_SAME_TRAIN = re.compile(r"^(buy (\w+)(?: market| ipo)?) an? \2 train(?= for \$)", re.IGNORECASE)
#: the name of a row of LEGAL NOW before its command: "buy buy TR", "any time use S&NA: mark G4"
_ROW = re.compile(r"^(?:(\w+) +(?=\1\b)|any time +|privates +|then buy +(?=buy\b))", re.IGNORECASE)


def without_explanation(text: str) -> str:
    """A line without what LEGAL NOW says about its command; other lines stay as they are."""
    text = _ENDS.sub(r"\1", _HELP.sub("", _EACH.sub("", _IF.sub("", _ROW.sub("", text)))))
    return _EXPLAINED.sub("", _SAME_TRAIN.sub(r"\1", text))
