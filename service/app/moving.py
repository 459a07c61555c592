"""Moves a service from one database to another: from SQLite to PostgreSQL, or back."""

from service.app.backup import STILL_RUNS
from service.app.presence import folder_of, living
from service.app.private import hindrance
from service.settings import Settings, SettingsError
from service.store import copying, moving, survey
from service.store.moving import Moved, NotMoved, TableCopied

NO_DATABASE = "there is no database at {url} yet: nothing to move"
THE_SAME = "your settings already name this database: give the URL of another one"


def move(settings: Settings, target: str, told: TableCopied) -> Moved:
    """Copy all data from the database of the settings to another one, which must be empty.

    The old one is brought up to date and otherwise stays as it is. Raises NotMoved, Unavailable,
    SettingsError, OSError.
    """
    source = settings.database_url
    if source == target:
        raise NotMoved(THE_SAME)
    if why := hindrance(settings):
        raise SettingsError(why)
    if workers := living(folder_of(settings)):
        raise NotMoved(STILL_RUNS.format(workers=", ".join(workers)))
    if survey(source).games is None:
        raise NotMoved(NO_DATABASE.format(url=copying.shown(source)))
    survey(target)  # refuses another program's database and a newer one before anything changes
    for url in (source, target):
        copying.bring_up_to_date(url)
    return moving.move(source, target, told)
