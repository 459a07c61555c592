"""What a player's post brings about: it is carried out, refused, held, or kept as talk.

A channel gets one answer to a post or none. There is none to talk, to people who do not play, and
to notices of the list or forum itself. Information for one player alone is neither requested nor
given there.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.wording import cut
from service import rations
from service.commands.command import SHOWN
from service.commands.reading import read
from service.desk.answering.effects import judged
from service.desk.answering.game_email import GameContext, scope_of
from service.desk.channels.public_channel import PublicChannel
from service.desk.door import Done, Fate
from service.desk.posts.posted import Post, PostedEmail
from service.desk.proving import held
from service.desk.proving.arrived import WrittenAt
from service.desk.proving.owners import GameOwner, Writer
from service.desk.rationing.answer_rations import Answering, now_or_later, within_ration
from service.games import choices
from service.mail.message import Mail
from service.reports.channels import open_note_page
from service.said import HAS_NOT_BEGUN
from service.store import Letter, Tx

# carrying it out


def carry_out_post(
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


def keep_talk(came: PostedEmail) -> Done:
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
    return came.once(within_ration(ration, (), note, fate=fate, then=keep), proved=False)


# refusing it

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
        done = done.beside(within_ration(_ration(reads, channel), [_note(channel, came.mail, why)]))
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


def ask_in_private(
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
    return within_ration(ration, [letter], note, fate="ignored")
