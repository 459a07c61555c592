"""The time zone of an entrant, by which tables that begin later show times to them."""

import msgspec

from service.clocks import zones
from service.commands.command import Command
from service.desk.answering.effects import Effect
from service.desk.tournament.answering.tournament_context import TournamentEmail, agreed_entry
from service.desk.tournament.stored.keeping import change_of
from service.tournaments.acts import EntryChanged, LoggedAct

YOUR_ZONE = "Your time zone is {zone}."


def zone(context: TournamentEmail, command: Command) -> Effect:
    """`zone Europe/Paris`."""
    entry = agreed_entry(context)
    found = zones.read(command.rest)
    changed = msgspec.structs.replace(entry, zone=found)
    acts = [LoggedAct(EntryChanged("zone", changed), entry.name)]
    made = change_of(context.desk, context.tournament, acts)
    return context.did(command, made, YOUR_ZONE.format(zone=found))
