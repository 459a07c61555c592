"""The chain of steps for an email that a list or forum brought; the first that knows concludes."""

from dataclasses import replace

from service.desk import shown_tokens
from service.desk.channels.of_game import KINDS
from service.desk.door import Done
from service.desk.email_steps import EmailStep, always, by_steps
from service.desk.letters.desk import Desk
from service.desk.posts.judging import (
    PROVES_NOTHING,
    ask_in_private,
    carry_out_post,
    keep_talk,
    private,
    too_early,
    unsigned,
)
from service.desk.posts.posted import PostedEmail, read_post
from service.desk.proving import owners, proof
from service.desk.proving.arrived import ArrivedEmail
from service.desk.proving.owners import GameOwner
from service.desk.proving.proof import ByProof, by_proof
from service.mail.message import Mail


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
    return by_steps(STEPS, PostedEmail(*read, channel=found))


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
    return carry_out_post(
        came.reads, channel, mail, writer, read_post(channel, mail, seat), received
    )


def shown(came: PostedEmail) -> PostedEmail:
    """The post, after what it shows: tokens to everybody there, and the channel's new address."""
    came, renewals = shown_tokens.renewed(came)
    channel, write = replace(came.channel, table=came.anew(came.channel.table)).seen(came.mail)
    before = came.before.beside(renewals).beside(Done(also=write))
    return replace(came, channel=channel, before=before)


OFF_WRITTEN = "{writer} wrote `!{word} off` there."


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
    return channel.greeting_answered(came.mail) or came.ignored(
        f"{channel.place} is not known to want us"
    )


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
        done = carry_out_post(came.reads, channel, mail, writer, said, came.now)
    elif verdict is ByProof.HELD:
        done = ask_in_private(came.reads, channel, mail, writer, said)
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
        keep_talk,
        "talk needs no proof, and no game that has begun",
    ),
    EmailStep(
        lambda came: came.channel.table.head is None,
        too_early,
        "commands need a game that has begun, however well their writer is proved",
    ),
    EmailStep(always, of_player, "what is left are commands of a player"),
)
