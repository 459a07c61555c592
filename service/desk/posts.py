"""Handles an email that a list or forum brought, and gives it one answer, which all read.

A channel gets one answer to a post or none. There is none to talk, to people who do not play, and
to notices of the list or forum itself. Information for one player alone is neither requested nor
given there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.wording import cut
from service import rations
from service.commands.command import SHOWN
from service.commands.entry import When, Who
from service.commands.lines import known_of
from service.commands.reading import Scope, read
from service.desk import shown_tokens
from service.desk.answering.effects import judged
from service.desk.answering.game_email import GameContext, scope_of
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Done, Fate
from service.desk.letters.desk import Desk
from service.desk.proving import held, owners, proof
from service.desk.proving.arrived import ArrivedEmail, EmailStep, WrittenAt, always, concluded
from service.desk.proving.owners import GameOwner, Writer
from service.desk.proving.proof import ByProof, by_proof
from service.desk.public.of_game import KINDS
from service.desk.public.public_channel import PublicChannel
from service.desk.rationing.answer_rations import Answering, answered, now_or_later
from service.desk.reading.order_lines import recognising
from service.games import choices
from service.mail.message import Line, Mail
from service.reports.channels import open_note_page
from service.said import HAS_NOT_BEGUN
from service.store import Letter, SeatRow, Tx

_PHRASE = re.compile(r"!?\s*(?:new\s+|set\s+)?pass-?\s?phrase\b.*", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class PostedEmail(ArrivedEmail):
    """An email that a list or forum brought."""

    channel: PublicChannel

    @cached_property
    def seat(self) -> SeatRow | None:
        """The seat of the player who wrote it, None for anybody else."""
        return self.channel.writer(self.reads, self.mail)

    @property
    def player(self) -> SeatRow:
        """The same, in the steps that only players' posts reach."""
        assert self.seat is not None
        return self.seat

    @cached_property
    def said(self) -> "Post":
        """The lines of a player's post."""
        return _read(self.channel, self.mail, self.player)

    def about_player(self) -> PublicChannel:
        """The channel, for what follows from a player's post."""
        desk = self.channel.desk.about(self.channel.game, self.player.name)
        return replace(self.channel, desk=desk)


def refused(came: ArrivedEmail) -> Done | None:
    """Leave a channel that refuses an email of Waybill; None for any other email.

    Raises `proof.WaitsForKey` while a key is looked up.
    """
    every = (kind.refusing(came.reads, came.desk, came.mail, came.row.raw) for kind in KINDS)
    found = next(filter(None, every), None)
    if found is None:
        return None
    channel, why = found
    if not channel.signs:
        return channel.hearsay(came.reads, why, f"{channel.place}: said to refuse us")
    if not came.signed():
        return came.ignored(f"a refusal without the signature of {channel.place}")
    return came.once(channel.leave(why), proved=True)


def post(came: ArrivedEmail) -> Done | None:
    """Handle an email from a channel by the chain of posts; None for any other email.

    Raises `proof.WaitsForKey` while a key is looked up.
    """
    every = (kind.find(came.reads, came.desk, came.mail) for kind in KINDS)
    found = next((one for one in every if one is not None), None)
    if isinstance(found, str):
        return came.ignored(found)
    if found is None:
        return None
    read = (came.reads, came.service, came.now, came.row, came.mail)
    return concluded(STEPS, PostedEmail(*read, channel=found))


HAS_LEFT_ITS_CHANNEL = "the game has left the {word} that it came by"


def confirmed(
    came: ArrivedEmail, desk: Desk, mail: Mail, owner: GameOwner, received: int
) -> Done | str | None:
    """Carry out a post whose writer has confirmed in private that it is theirs.

    Gives the reason if nothing is done; None for an email that came by no channel.
    """
    table, seat = owner.table, owner.seat
    kind = next((one for one in KINDS if one.brought(desk, mail, table)), None)
    if kind is None or seat is None:
        return None
    channel = kind.of(desk, table)
    if channel is None or not channel.on:
        return HAS_LEFT_ITS_CHANNEL.format(word=kind.word)
    writer = proof.of_post(owner, mail.sender, channel)
    return _carried_out(came.reads, channel, mail, writer, _read(channel, mail, seat), received)


# reading a post


@dataclass(frozen=True)
class Post:
    """The lines of a post: commands without their mark, and talk.

    ``secret`` are commands that nobody else should have read.
    """

    commands: Sequence[Line] = ()
    talk: str = ""
    secret: Sequence[Line] = ()


def _read(channel: PublicChannel, mail: Mail, seat: SeatRow) -> Post:
    """The lines of a player's post; its subject does not count."""
    commands: list[Line] = []
    talk: list[str] = []
    secret: list[Line] = []
    scope = _scope(channel, seat)
    if mail.phrase or mail.new_phrase:
        # The pass phrase was removed from the lines when the email was read.
        secret.append(Line(0, "pass-phrase"))
    for line in channel.lines(mail):
        text = line.text.strip()
        if _PHRASE.fullmatch(text):
            secret.append(line)
        elif not line.number:
            continue
        elif not text.startswith("!"):
            talk.append(text)
        elif bare := text.lstrip("! "):
            own = Line(line.number, bare)
            entries = (command.entry for command in read((own,), scope))
            (secret if any(one and one.secret for one in entries) else commands).append(own)
    return Post(commands, "\n".join(talk).strip(), secret)


def _scope(channel: PublicChannel, seat: SeatRow) -> Scope:
    """The kinds of lines in a post, wherever the secret ones should have gone.

    Whose post it is is weighed later, and only if it has commands: here it is read as the widest
    that a post may be, that of a player.
    """
    table = channel.table
    vocabulary = channel.desk.service.commands
    known = known_of(table.title, vocabulary.first_words)
    scope = Scope(vocabulary.entries, Who.PLAYER, PrivateEmail.where, When.RUNNING, known)
    if table.head is None:
        return scope
    return replace(scope, ahead=recognising(table.title, table.state, seat.name))


# carrying it out


def _carried_out(
    reads: Tx,
    channel: PublicChannel,
    mail: Mail,
    writer: Writer[GameOwner],
    said: Post,
    received: int,
) -> Done:
    """Carry out the commands of a post, in a game that has begun."""
    own = replace(mail, sender=writer.owner.address, lines=tuple(said.commands))
    written = WrittenAt(channel.position_answered(mail), received)
    context = GameContext(reads, channel.desk, own, writer, written, _kept(channel, said))
    return judged(context, read(own.lines, scope_of(context)))


def _kept(channel: PublicChannel, said: Post) -> str:
    """The talk in a post that the game keeps; no more than an email may say."""
    fits = channel.delivers and len(said.talk) <= channel.desk.service.talk
    return said.talk if fits else ""


def talk(came: PostedEmail) -> Done:
    """Store what a player says on a list as a message of the game; the list has sent it already."""
    channel, seat, now = came.about_player(), came.player, came.now
    table = channel.table
    # It is not counted for the player, who has not proved that they wrote it. Otherwise anybody
    # could use up the number of messages that the player may send by email.
    counters = rations.player(channel.game, f"{seat.name} on the {channel.word}", "talk")
    text = _kept(channel, came.said)
    ration = Answering(came.reads, channel.desk, counters)
    note = f"talk of {seat.name}"
    fate: Fate = "done" if channel.delivers else "ignored"
    if not text or table.head is None:
        return came.once(Done(note, fate=fate), proved=False)

    def keep(tx: Tx) -> None:
        tx.log.say(table.row.id, seat.name, text, table.state.number, now)
        choices.plan(tx, table.row, table.seats, table.state.number, now)

    # A copy sent to the seat itself has precedence over one that only talks.
    return came.once(answered(ration, (), note, fate=fate, then=keep), proved=False)


# refusing it

OFF_WRITTEN = "{writer} wrote `!{word} off` there."
NOTHING_DONE = "Nothing in this post of {name} was done."
NO_PLACE = "One of its lines is private: it does not belong on a {word}."
HIDDEN = "on the {word}: a private line"
ON_THE = "on the {word}: {said}"
NOT_FOR_ALL = "That was not for the {word}."
YOU_WROTE = "You wrote on the {word}: {lines}"
FOR_YOU_ALONE = (
    "That is private, and now everybody there can read it. Nothing in your post was done. Delete "
    "the post if you can."
)
WRITE_IN_PRIVATE = (
    "To send it in private, reply to this email: the reply goes to your seat address. If others "
    "have read your pass phrase, set a new one."
)


def private(came: PostedEmail) -> Done:
    """Refuse the whole post, because some of its lines must not be public."""
    reads, channel, seat, said = came.reads, came.about_player(), came.player, came.said
    word, counters = channel.word, rations.address(seat.address, "error")
    shown = "; ".join(f"“{line.text[:60]}”" for line in said.secret[:6])
    lines = (YOU_WROTE.format(word=word, lines=shown), FOR_YOU_ALONE, WRITE_IN_PRIVATE)
    letter = channel.to_player(seat, NOT_FOR_ALL.format(word=word), lines)
    ration = Answering(reads, channel.desk, counters)
    done = now_or_later(ration, [letter], seat.name, HIDDEN.format(word=word))
    if said.commands:
        why = (NOTHING_DONE.format(name=seat.name), NO_PLACE.format(word=word))
        done = done.beside(answered(_ration(reads, channel), [_note(channel, came.mail, why)]))
    note = f"private words of {seat.name} on the {word}"
    return came.once(replace(done, note=note), proved=True)


def too_early(came: PostedEmail) -> Done:
    """Refuse commands before the game; beyond the ration the writer gets the answer later."""
    channel, mail, ration = came.about_player(), came.mail, _ration(came.reads, came.channel)
    told = HAS_NOT_BEGUN.format(game=channel.game)
    first = next((line.text for line in channel.lines(mail)), mail.subject)
    about = ON_THE.format(word=channel.word, said=cut(first, SHOWN))
    letters = [_note(channel, mail, (told,))]
    done = now_or_later(ration, letters, came.player.name, about)
    return came.once(replace(done, note=told), proved=True)


def _ration(reads: Tx, channel: PublicChannel) -> Answering:
    """The ration of answers that all read there."""
    return Answering(reads, channel.desk, ((channel.address, "list"),))


def _note(channel: PublicChannel, mail: Mail, lines: Sequence[str]) -> Letter:
    """The reason why nothing of a post was done, for all readers there."""
    about = channel.desk.service.about(channel.game, channel.table.title)
    return channel.answer(open_note_page(channel.readers, mail.subject, lines, about), mail)


PROVES_NOTHING = "a {word} cannot prove {name} here"
WAS_THAT_YOU = "Was that you on the {word}?"
WROTE_THERE = "{writer} wrote on the {word}: {lines}"
PROVES_TOO_LITTLE = (
    "The security level of this game asks for more proof that you wrote it. Nothing was done yet."
)
IF_IT_WAS = (
    "If it was you, reply to this email with the line below by {until}. Then Waybill carries out "
    "your post once, and puts the receipt there. If it was not you, do nothing."
)


def _ask_in_private(
    reads: Tx,
    channel: PublicChannel,
    mail: Mail,
    writer: Writer[GameOwner],
    said: Post,
) -> Done:
    """This game asks for more proof of the writer than a post can give, so ask in private."""
    desk, word, seat = channel.desk, channel.word, writer.owner.seat
    assert seat is not None
    wanted = held.confirmable(desk, replace(mail, lines=tuple(said.commands)), writer)
    note = PROVES_NOTHING.format(word=word, name=seat.name)
    shown, named = " / ".join(wanted.lines), channel.named(mail)
    lines = (
        WROTE_THERE.format(writer=named, word=word, lines=shown),
        PROVES_TOO_LITTLE,
        IF_IT_WAS.format(until=wanted.until),
    )
    yes = (f"yes {wanted.number}",)
    letter = channel.to_player(seat, WAS_THAT_YOU.format(word=word), lines, yes)
    return held.hold(reads, desk, mail, writer, wanted, letter, note)


# what a channel does not accept

NOT_SIGNED = "The forum's emails are not signed."
NO_SIGNATURE = (
    "An email says that it comes from the forum {host}, and has lines that begin with `!`. It has "
    "no signature of the forum's mail server (DKIM) that Waybill could check. Anybody could have "
    "written it, so nothing in it was done."
)
LET_IT_SIGN = (
    "Ask the forum's admin to sign its emails. Until then, players send their commands by email."
)


def unsigned(came: PostedEmail) -> Done | None:
    """Ignore a post without the channel's signature; the organizer hears of one with commands."""
    if came.signed():
        return None
    channel, mail = came.channel, came.mail
    note = f"no signature of {channel.place}"
    if not any(line.text.startswith("!") for line in channel.lines(mail)):
        return Done(note, fate="ignored")
    lines = (NO_SIGNATURE.format(host=mail.forum.host), LET_IT_SIGN)
    letter = channel.to_organiser("unsigned", NOT_SIGNED, lines)
    counters = rations.address(channel.table.row.organiser, "error")
    ration = Answering(came.reads, channel.desk, counters)
    return answered(ration, [letter], note, fate="ignored")


# the steps


def shown(came: PostedEmail) -> PostedEmail:
    """The post, after what it shows: tokens to everybody there, and the channel's new address."""
    came, renewals = shown_tokens.renewed(came)
    channel, write = replace(came.channel, table=came.anew(came.channel.table)).seen(came.mail)
    before = came.before.beside(renewals).beside(Done(also=write))
    return replace(came, channel=channel, before=before)


def sent_off(came: PostedEmail) -> Done:
    """Leave the channel, as somebody has written there."""
    channel, mail = came.channel, came.mail
    writer = channel.named(mail) or mail.sender
    return came.once(
        channel.leave(OFF_WRITTEN.format(writer=writer, word=channel.word)), proved=True
    )


def begun(came: PostedEmail) -> Done:
    """Begin there, if the game has not yet."""
    if came.channel.on:
        return came.ignored("the game has begun there already")
    return came.once(came.channel.begin(came.reads, came.mail), proved=True)


def awaited(came: PostedEmail) -> Done:
    """Begin there, if the email shows that the channel wants it."""
    channel = came.channel
    return channel.confirms(came.mail) or came.ignored(f"{channel.place} is not known to want us")


def introduced(came: PostedEmail) -> Done | None:
    """Learn which player has an account there."""
    known = came.channel.introduces(came.reads, came.mail)
    return None if known is None else came.once(known, proved=True)


def of_nobody(came: PostedEmail) -> Done:
    """Ignore a post of somebody who does not play."""
    return came.ignored(f"a post of somebody who does not play in {came.channel.game}")


def of_player(came: PostedEmail) -> Done:
    """Carry out a player's commands, or hold them, by what the channel proves."""
    channel, mail, said = came.about_player(), came.mail, came.said
    player = owners.of_game(came.service, came.now, channel.table, came.player.name)
    writer = proof.of_post(player, mail.sender, channel)
    verdict = by_proof(replace(mail, lines=tuple(said.commands)), writer)
    if verdict is ByProof.DONE:
        done = _carried_out(came.reads, channel, mail, writer, said, came.now)
    elif verdict is ByProof.HELD:
        done = _ask_in_private(came.reads, channel, mail, writer, said)
    else:
        done = Done(PROVES_NOTHING.format(word=channel.word, name=came.player.name))
    return came.once(done, proved=True)


#: The chain of an email that a list or forum brought, in order; the last step handles what no other
#: step has.
STEPS: tuple[EmailStep[PostedEmail], ...] = (
    EmailStep(
        lambda came: came.channel.signs,
        unsigned,
        "without the signature of a channel that signs, nothing below is known",
    ),
    EmailStep(
        always,
        shown,
        "everybody there has the headers of the post, so no token below counts that is in them",
    ),
    EmailStep(
        lambda came: came.channel.is_off(came.mail),
        sent_off,
        "the channel belongs to its readers: nobody needs a seat, or a reason",
    ),
    EmailStep(
        lambda came: came.channel.has_line(came.mail),
        begun,
        "the line proves that somebody there wants the game, whoever it is",
    ),
    EmailStep(
        lambda came: not came.channel.on,
        awaited,
        "what is below needs a game that is played there",
    ),
    EmailStep(
        lambda came: bool(came.channel.tokens(came.mail)),
        introduced,
        "the line that a player writes names the seat of an account that is not known yet",
    ),
    EmailStep(
        lambda came: came.seat is None,
        of_nobody,
        "only players give commands there; talk of others is none of the game's",
    ),
    EmailStep(
        lambda came: bool(came.said.secret),
        private,
        "a post with a private line is refused as a whole, whatever else it says",
    ),
    EmailStep(
        lambda came: not came.said.commands,
        talk,
        "talk needs no proof, and no game that has begun",
    ),
    EmailStep(
        lambda came: came.channel.table.head is None,
        too_early,
        "commands need a game that has begun, however well their writer is proved",
    ),
    EmailStep(always, of_player, "what is left are commands of a player"),
)
