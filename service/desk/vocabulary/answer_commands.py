"""Answers of people whom Waybill asked something, and the settings of watchers."""

import re

from service.clocks import digests
from service.commands.answers import ALSO_YES, NO, YES
from service.commands.entry import ALWAYS, Entry, Who
from service.desk.answering.effects import singly
from service.desk.answering.yes_or_no import yes_or_no
from service.desk.watching.watch_answers import choose

_ASKED = Who.ASKED | Who.STANDBY | Who.OBSERVER

ENTRIES = (
    Entry(
        "yes",
        "yes",
        "you want what you were asked: to stand by, to take a seat, to act for a player, to watch",
        "yes",
        yes_or_no,
        _ASKED,
        when=ALWAYS,
        also=ALSO_YES,
        form=YES,
        line=True,
    ),
    Entry(
        "no",
        "no",
        "you do not want it, or no longer",
        "no",
        yes_or_no,
        _ASKED,
        when=ALWAYS,
        also=("nein", "non", "stop", "off"),
        form=NO,
    ),
    Entry(
        "unwatch",
        "unwatch",
        "nothing more of the game comes to you",
        "unwatch",
        yes_or_no,
        Who.OBSERVER,
        when=ALWAYS,
        also=("unsubscribe",),
        form=re.compile(r"(?:unwatch|unsubscribe)\W*", re.IGNORECASE),
    ),
    Entry(
        "digest",
        "digest daily 07:00",
        f"when news comes: {digests.explained(off=False)}",
        "digest daily 07:00",
        singly(choose),
        Who.OBSERVER,
        when=ALWAYS,
    ),
    Entry(
        "news",
        "news all",
        "older words for `digest each`; `news rounds`",
        "news rounds",
        singly(choose),
        Who.OBSERVER,
        when=ALWAYS,
    ),
    Entry(
        "zone",
        "zone Europe/Berlin",
        "your time zone, for the digest",
        "zone Europe/Berlin",
        singly(choose),
        Who.OBSERVER,
        when=ALWAYS,
    ),
    Entry(
        "images",
        "images off",
        "no pictures in what comes to you; `images on`",
        "images off",
        singly(choose),
        Who.OBSERVER,
        when=ALWAYS,
        also=("pictures",),
    ),
)
