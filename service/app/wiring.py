"""Builds the service from its settings: moderator, mailbox, sender, store, office."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

from service.app import same_secret, upgrading
from service.app.office import Office
from service.app.presence import Presence, folder_of
from service.app.private import data_folder, secret
from service.app.relays import Relays
from service.app.servers import check_address, mailboxes_of, smtp_of, spares_of
from service.clocks import digests
from service.desk.service import Service
from service.desk.tournament.stored.keeping import readable
from service.desk.tournament.stored.public_pages import StoredTournaments
from service.desk.vocabulary.table import VOCABULARY
from service.games.games import watch
from service.mail.signing_keys import Keys
from service.publish.publishing import Publishing, Site
from service.settings import Settings, check_mail
from service.store import Pace, Store, Unavailable, copying
from service.store.access import refuse_network_disk

if TYPE_CHECKING:
    from service.store.postgres import WorkerLink


def service_of(settings: Settings, signing: bytes | None = None) -> Service:
    """The service of the settings; ``signing`` replaces the secret.

    Without it, a missing secret is created. Raises SettingsError.
    """
    service = Service(
        address=settings.mail.address,
        former=tuple(settings.mail.former_addresses.split()),
        name=settings.mail.name,
        secret=signing or secret(settings),
        operator=settings.mail.operator,
        grade=settings.play.identity,
        server=settings.mail.authserv_id,
        keys=Keys() if settings.mail.check_signatures else None,
        talk=settings.limits.talk_characters,
        offer_days=settings.play.offer_days,
        open_days=settings.play.open_days,
        digest=digests.read(settings.play.digest),
        templates=Path(settings.templates.dir) if settings.templates.dir else None,
        pages=settings.publish.base if settings.publish.folder else "",
        overlays=Path(settings.play.overlays) if settings.play.overlays else None,
        commands=VOCABULARY,
    )
    check_address(service.address)
    return service


def open_store(settings: Settings) -> Store:
    """The store with upgraded tables, and a record of the seats that each game waits for.

    Raises Unavailable if the tables cannot be upgraded or the file is on a network disk, and
    OldTournament if a tournament has a rule that no longer exists.
    """
    data_folder(settings)
    refuse_network_disk(settings.database_url)
    store = Store(settings.database_url, settings.answers, settings.database.connections)
    upgrading.upgrade(store, settings)
    with store.reading() as reads:
        readable(reads)
    watch(store)
    return store


def open_office(settings: Settings) -> Office:
    """The office with everything that its jobs need. Raises SettingsError or Unavailable."""
    check_mail(settings)
    service = service_of(settings)
    store = open_store(settings)
    same_secret.compare(store, service, int(time.time()))
    return Office(
        store,
        service,
        mailboxes_of(settings),
        Relays.of(smtp_of(settings), *spares_of(settings).values()),
        presence=presence_of(settings),
        pace=Pace(settings.smtp.a_minute, settings.smtp.a_day),
        steady=time.monotonic,
        silence=settings.jobs.silence,
    )


def presence_of(settings: Settings) -> "Presence | WorkerLink":
    """The sign that a new worker is alive, for the others.

    Raises Unavailable, also while somebody upgrades the tables.
    """
    here = _presence_of(settings)
    if here.must_end():
        here.close()
        raise Unavailable(upgrading.SUPERSEDED)
    return here


def _presence_of(settings: Settings) -> "Presence | WorkerLink":
    if copying.kind(settings.database_url) != "postgresql":
        return Presence(folder_of(settings))
    from service.store.postgres import WorkerLink

    return WorkerLink(settings.database_url)


def publishing_of(settings: Settings, store: Store, to: Path | None = None) -> Publishing | None:
    """The object that updates the public pages, in the folder of the settings or in ``to``.

    None if no folder is set. Raises SettingsError.
    """
    folder = to or (Path(settings.publish.folder) if settings.publish.folder else None)
    if folder is None:
        return None
    templates = Path(settings.templates.dir) if settings.templates.dir else None
    base, name = settings.publish.base, settings.mail.name
    site = Site(folder, base, name, secret(settings), templates)
    return Publishing(store, site, tournaments=StoredTournaments(store))
