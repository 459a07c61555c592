"""The settings: defaults, then one TOML file, then the environment (WAYBILL_SECTION__KEY).

A later source overrides an earlier one. The module reads no email and opens no database. The
description here is the only documentation of a key. ``config/default.toml`` repeats it word for
word, and a test compares the two.
"""

import difflib
import os
import re
import shlex
import ssl
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import (
    ConfigDict,
    Field,
    PositiveInt,
    PrivateAttr,
    SecretStr,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from engine.facts.nesting import TOO_DEEP, too_deep
from service import rights
from service.clocks import digests
from service.limits import LimitsSection, Section
from service.limits import key as _key
from service.mail.grades import Grade
from service.operator_errors import OperatorError
from service.pages import PublishSection
from service.rations import Rations

PREFIX = "WAYBILL_"
Tls = Literal["tls", "starttls", "none"]


class SettingsError(OperatorError):
    """Invalid settings. The text has one line for each error and contains no password."""

    code = 2


_HOST_AND_PORT = re.compile(r"(?:\[[0-9A-Fa-f:]+\]|[^\s:/]+):\d{1,5}")


def host_and_port(place: str) -> tuple[str, int]:
    """The two parts of ``HOST:PORT``, without the brackets of an IPv6 address (RFC 3986 §3.2.2)."""
    host, _, port = place.rpartition(":")
    return host.strip("[]"), int(port)


class MailSection(Section):
    """The address and name of Waybill in emails."""

    address: str = _key(
        "", "Waybill's address, to which players write. Seat addresses add name+token before the @."
    )
    former_addresses: str = _key(
        "",
        "Addresses that it had before, with spaces between; replies to emails from them still "
        "prove a seat.",
    )
    name: str = _key("Waybill", "The name shown beside that address.")
    operator: str = _key(
        "", "The address that gets an email when an email could not be handled; empty: none."
    )
    secret: SecretStr = _key(
        SecretStr(""),
        "Signs the seat addresses; with a new one no older address works. Empty: see secret_file.",
    )
    secret_file: str = _key(
        "", "A file with the secret. Empty: the first start makes one in the data folder."
    )
    authserv_id: str = _key(
        "",
        "The name that your mail server writes first into Authentication-Results of incoming "
        "emails, and that it removes from emails of others. Empty: that header proves "
        "nothing.",
    )
    check_signatures: bool = _key(
        True,
        "Check DKIM signatures here where that header does not say which is good; needs the DNS.",
    )

    @model_validator(mode="after")
    def _addresses(self) -> Self:
        former = (("former_addresses", one) for one in self.former_addresses.split())
        for name, value in (("address", self.address), ("operator", self.operator), *former):
            if value and not re.fullmatch(r"[!#-'*+\-./-9=?A-Z^-~]+@[A-Za-z0-9.-]+", value):
                raise ValueError(f"{name} is not an email address: {value}")
        return self


class Login(Section):
    """A mail server and its login."""

    host: str
    port: int
    tls: Tls
    user: str = _key("", "The login name; empty: no login.")
    password: SecretStr = _key(SecretStr(""), "Better in the environment or in a separate file.")
    password_file: str = _key("", "A file that holds the password.")
    token_command: str = _key(
        "",
        "A program that prints an access token (OAuth2), used in place of a password; with its "
        "arguments, no shell. Write no secret into it.",
    )
    oauth: Literal["", "gmail", "microsoft"] = _key(
        "", 'Access tokens of "gmail" or "microsoft" in place of a password; see `waybill login`.'
    )
    ca_file: str = _key(
        "",
        "A PEM file with the certificates of your own authority; empty: the certificates that"
        " this computer trusts.",
    )

    @model_validator(mode="after")
    def _one_way_in(self) -> Self:
        if self.password.get_secret_value() and self.password_file:
            raise ValueError("give password or password_file, not both")
        given = (self.password.get_secret_value() or self.password_file, self.token_command)
        if sum(map(bool, (*given, self.oauth))) > 1:
            raise ValueError("give a password, token_command or oauth, only one of them")
        if (self.token_command or self.oauth) and not self.user:
            raise ValueError("access tokens need user: the account that they are for")
        if self.token_command:
            _refuse_unreadable(self.token_command)
        return self

    def secret(self) -> str:
        """The password. Raises SettingsError if its file cannot be read."""
        if not self.password_file:
            return self.password.get_secret_value()
        return read_file(Path(self.password_file))

    def trust(self) -> ssl.SSLContext | None:
        """The context that checks certificates; None to use the machine's own certificates.

        Raises SettingsError if ``ca_file`` cannot be read or contains no certificate.
        """
        if not self.ca_file:
            return None
        try:
            return ssl.create_default_context(cafile=self.ca_file)
        except ssl.SSLError as error:
            raise SettingsError(f"{self.ca_file}: holds no certificate in PEM") from error
        except PermissionError as error:
            raise SettingsError(rights.remedy(Path(self.ca_file))) from error
        except OSError as error:
            raise SettingsError(f"{self.ca_file}: {error.strerror}") from error


def _refuse_unreadable(command: str) -> None:
    """Raises ValueError if a command line names no program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"token_command cannot be read: {error}") from None
    if not words:
        raise ValueError("token_command names no program")


class MailboxSection(Login):
    """A mailbox from which Waybill fetches email."""

    host: str = _key("", "The IMAP server; empty: no email is fetched.")
    port: int = _key(993, "993 for tls, 143 for starttls and none.", ge=1, le=65535)
    tls: Tls = _key("tls", 'Protection: "tls" from the start, "starttls", "none".')
    maildir: str = _key(
        "", "A Maildir on this computer that is read in place of an IMAP server; empty: none."
    )
    folder: str = _key("INBOX", "The folder that is read.")
    done_folder: str = _key(
        "", "The folder to which handled emails are moved; empty: they are marked as read."
    )

    def unset(self) -> list[str]:
        """The keys without which no email can be fetched."""
        wanted = {"host": self.host, "user": self.user}
        return [] if self.maildir else [key for key, value in wanted.items() if not value]

    def lacks(self) -> str:
        """What it still needs, "" for nothing."""
        unset = self.unset()
        return f"{' and '.join(unset)}, or maildir" if unset else ""


First = TypeVar("First", "ImapSection", "SpareSection")


def _further_usable(section: First) -> First:
    """Raises ValueError for a further section whose name or keys are wrong."""
    for name, further in section.__pydantic_extra__.items():
        if not re.fullmatch("[a-z0-9]+", name):
            raise ValueError(f"{name}: the name of a section has only a to z and digits")
        if lacks := further.lacks():
            raise ValueError(f"{name} needs {lacks}")
    return section


class ImapSection(MailboxSection):
    """The first mailbox, and further ones in tables of their own, ``[imap.NAME]``."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, MailboxSection] = Field(init=False)

    lmtp: str = _key(
        "",
        "HOST:PORT or the path of a socket, where `waybill serve` takes emails by LMTP from a mail "
        "server of your own, into imap.maildir; empty: nothing listens.",
    )

    def mailboxes(self) -> dict[str, MailboxSection]:
        """All mailboxes, by the names of their sections."""
        further = {f"imap.{name}": one for name, one in self.__pydantic_extra__.items()}
        return {"imap": self, **further}

    _usable = model_validator(mode="after")(_further_usable)

    @model_validator(mode="after")
    def _lmtp_into_a_maildir(self) -> Self:
        if not self.lmtp:
            return self
        if not self.lmtp.startswith("/") and not _HOST_AND_PORT.fullmatch(self.lmtp):
            raise ValueError(f"lmtp is neither HOST:PORT nor the path of a socket: {self.lmtp}")
        if not self.maildir:
            raise ValueError("lmtp needs maildir, where the emails are kept")
        return self


class SendingSection(Login):
    """A server for sending, and its login."""

    port: int = _key(
        587, "587 for starttls, 465 for tls, 25 within a private network.", ge=1, le=65535
    )
    tls: Tls = _key("starttls", 'Protection: "starttls", "tls" from the start, "none".')


class SmtpSection(SendingSection):
    """The server through which Waybill sends email."""

    host: str = _key("", "The SMTP server; empty: no email is sent.")
    a_minute: int = _key(
        30, "Emails that may go out in a minute, turn emails first; 0: any number.", ge=0
    )
    a_day: int = _key(
        0,
        "The same in 24 hours; best a little less than your provider allows. 0: any number.",
        ge=0,
    )


class RelaySection(SendingSection):
    """A spare server for sending, with an account that may send from ``mail.address``."""

    host: str = _key(
        "", "An SMTP server that sends emails while that of [smtp] does not; empty: none."
    )

    def lacks(self) -> str:
        """What it still needs, "" for nothing."""
        return "" if self.host else "host"


class SpareSection(RelaySection):
    """The first spare server, and further ones in tables of their own, ``[spare.NAME]``."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, RelaySection] = Field(init=False)

    def servers(self) -> dict[str, RelaySection]:
        """All spare servers in their order, by the names of their sections."""
        further = {f"spare.{name}": one for name, one in self.__pydantic_extra__.items()}
        return {"spare": self, **further}

    _usable = model_validator(mode="after")(_further_usable)


class DatabaseSection(Section):
    """The database that keeps games and emails."""

    url: str = _key(
        "",
        "An SQLAlchemy URL such as postgresql+psycopg://user:password@host/name. "
        "Empty: the SQLite file waybill.sqlite in the data folder.",
    )
    connections: int = _key(
        8,
        "Connections of one worker to PostgreSQL at most; it has one more, by which workers "
        "notice each other.",
        ge=4,
    )


class DataSection(Section):
    """Files that Waybill writes for itself."""

    dir: str = _key(
        "waybill-data", "The data folder, seen from where the program is started; made if missing."
    )
    picture_days: PositiveInt = _key(14, "Days for which pictures of sent emails are kept.")
    letter_days: PositiveInt = _key(365, "Days for which sent emails are kept.")
    mail_days: PositiveInt = _key(
        365, "Days for which received emails are kept; at least 30.", ge=30
    )


class JobsSection(Section):
    """How often each job runs."""

    fetch: PositiveInt = _key(60, "Seconds between looks into the mailbox.")
    moderate: PositiveInt = _key(5, "Seconds between looks for emails to be handled.")
    send: PositiveInt = _key(5, "Seconds between looks for emails to be sent.")
    remind: PositiveInt = _key(
        60, "Seconds between looks for offers and games that expire, and for answers that waited."
    )
    silence: PositiveInt = _key(
        900,
        "Pauses of the service longer than so many seconds are charged to no player.",
    )
    tidy: PositiveInt = _key(
        86_400, "Seconds between deletions of data that ended games no longer need."
    )


class PlaySection(Section):
    """Defaults, deadlines and limits of games and players."""

    identity: Grade = _key(
        "standard",
        'The security level of games that choose none. "friendly": the seat address or the '
        'registered sender. "standard": both, or the sender with the signature of their mail '
        'server. "tournament": all three.',
    )
    offer_days: PositiveInt = _key(
        7, "A seat that its player has not confirmed after so many days is free again."
    )
    open_days: PositiveInt = _key(
        60, "A game that has not started so many days after its creation is canceled."
    )
    digest: Annotated[str, StringConstraints(pattern=digests.PATTERN)] = _key(
        "daily 07:00",
        f"How often players who have chosen nothing get news of others' moves: {digests.SETTING}.",
    )
    overlays: str = _key(
        "",
        "A folder of overlays, NAME.toml each: own facts for games. Empty: none.",
    )


class LogSection(Section):
    """The log of the program."""

    level: Literal["debug", "info", "warning", "error"] = _key(
        "info", "The lowest level that is logged."
    )
    as_json: bool = _key(
        False, "One JSON object per line, for programs, instead of text.", alias="json"
    )


class MonitorSection(Section):
    """The monitor page, on which the operator watches the service."""

    listen: str = _key(
        "",
        "HOST:PORT, such as 127.0.0.1:9464, where `waybill serve` shows a page for the operator, "
        "and figures for Prometheus at /metrics; empty: nothing listens.",
    )

    @model_validator(mode="after")
    def _host_and_port(self) -> Self:
        if self.listen and not _HOST_AND_PORT.fullmatch(self.listen):
            raise ValueError(f"listen is not HOST:PORT: {self.listen}")
        return self

    @property
    def place(self) -> tuple[str, int] | None:
        """Host and port of the monitor; None if it is off."""
        return host_and_port(self.listen) if self.listen else None


class TemplatesSection(Section):
    """The texts and pictures of the emails."""

    dir: str = _key("", "A folder of own templates; the program has the others.")


class Settings(BaseSettings):
    """All settings, checked and frozen. `load` makes them."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        env_prefix=PREFIX,
        env_nested_delimiter="__",
    )

    mail: MailSection = MailSection()
    imap: ImapSection = ImapSection()
    smtp: SmtpSection = SmtpSection()
    spare: SpareSection = SpareSection()
    database: DatabaseSection = DatabaseSection()
    data: DataSection = DataSection()
    jobs: JobsSection = JobsSection()
    play: PlaySection = PlaySection()
    limits: LimitsSection = LimitsSection()
    publish: PublishSection = PublishSection()
    log: LogSection = LogSection()
    monitor: MonitorSection = MonitorSection()
    templates: TemplatesSection = TemplatesSection()
    _sources: dict[str, str] = PrivateAttr(default_factory=dict)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment overrides the file, whose tables come as arguments."""
        return env_settings, init_settings

    def source(self, key: str) -> str:
        """The source of ``section.key``: the path of the file, a variable, or "default"."""
        return self._sources.get(key, "default")

    @property
    def database_url(self) -> str:
        """The URL of the database, or the default one if none is set."""
        return self.database.url or f"sqlite:///{Path(self.data.dir) / 'waybill.sqlite'}"

    @property
    def answers(self) -> Rations:
        """The limits of each kind of answer, as pairs (number of answers, seconds)."""
        return self.limits.answers


@dataclass(frozen=True, slots=True)
class Explained:
    """A key, its value with secrets masked, the source of the value, and the key's description."""

    key: str
    value: str
    source: str
    meaning: str


def load(path: Path | None = None) -> Settings:
    """Load the settings from ``path``, from the file that WAYBILL_CONFIG names, or without a file.

    Raises SettingsError with one line for each error.
    """
    if path is None and (named := os.environ.get(f"{PREFIX}CONFIG")):
        path = Path(named)
    _refuse_stray_variables()
    tables = {} if path is None else _tables(path)
    settings = checked(Settings, tables)
    settings._sources.update(dict.fromkeys(_flat(tables), str(path)))
    in_environment = _flat(EnvSettingsSource(Settings)())
    settings._sources.update({key: _variable(key) for key in in_environment})
    return settings


def checked(kind: type[Settings], tables: Mapping[str, Any]) -> Settings:
    """Check ``tables`` and return settings. Raises SettingsError with one line for each error."""
    try:
        return kind(**tables)
    except ValidationError as error:
        faults = (_fault(dict(one)) for one in error.errors(include_url=False))
        raise SettingsError("\n".join(faults)) from None


def keys() -> dict[str, FieldInfo]:
    """The field of every key, by ``section.key``, in the order of the documentation."""
    return {
        f"{section}.{field.alias or name}": field
        for section, table in Settings.model_fields.items()
        for name, field in table.default.__class__.model_fields.items()
    }


def explain(settings: Settings) -> tuple[Explained, ...]:
    """One row for every key. Secrets are masked, so everybody may see the table."""
    values = settings.model_dump(by_alias=True)
    rows = []
    for key, field in keys().items():
        section, _, name = key.partition(".")
        shown = _shown(values[section][name])
        rows.append(Explained(key, shown, settings.source(key), str(field.description)))
    named: dict[str, Login] = {**settings.imap.mailboxes(), **settings.spare.servers()}
    for section, login in named.items():
        for name, value in login.model_dump().items() if "." in section else ():
            key, field = f"{section}.{name}", type(login).model_fields[name]
            source = settings.source(key)
            rows.append(Explained(key, _shown(value), source, str(field.description)))
    return tuple(rows)


def check_mail(settings: Settings) -> None:
    """Raises SettingsError with the keys that must be set before Waybill can handle email."""
    missing = [] if settings.mail.address else ["mail.address"]
    missing += [f"imap.{key}" for key in settings.imap.unset()]
    missing += [] if settings.smtp.host else ["smtp.host"]
    if missing:
        lines = (f"{key}: needed to serve emails (or {_variable(key)})" for key in missing)
        raise SettingsError("\n".join(lines))


def read_file(place: Path) -> str:
    """The text of a file without leading and trailing blanks. Raises SettingsError."""
    try:
        return place.read_text(encoding="utf-8").strip()
    except PermissionError as error:
        raise SettingsError(rights.remedy(place)) from error
    except OSError as error:
        raise SettingsError(f"{place}: {error.strerror}") from error


NO_FILE = "{path}: {why}; `waybill setup --config {path}` writes it"


def _tables(path: Path) -> dict[str, Any]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except PermissionError as error:
        raise SettingsError(rights.remedy(path)) from error
    except FileNotFoundError as error:
        raise SettingsError(NO_FILE.format(path=path, why=error.strerror)) from error
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise SettingsError(f"{path}: {error}") from error
    except RecursionError as error:
        raise SettingsError(f"{path}: {TOO_DEEP}") from error
    if too_deep(tables):
        raise SettingsError(f"{path}: {TOO_DEEP}")
    return tables


def _flat(tables: Mapping[str, Any]) -> list[str]:
    """The names of all keys of tables, and of tables in them."""
    found = []
    for section, table in tables.items():
        for key, value in table.items() if isinstance(table, dict) else ():
            name = f"{section}.{key}"
            found += _flat({name: value}) if isinstance(value, dict) else [name]
    return found


def _variable(key: str) -> str:
    return PREFIX + key.replace(".", "__").upper()


def _refuse_stray_variables() -> None:
    """Refuse variables that look like Waybill's settings but belong to no section.

    Otherwise a typing error in a variable would go unnoticed.
    """
    sections = {section.upper() for section in Settings.model_fields}
    strays = []
    for name in sorted(os.environ):
        section, nested, _ = name.upper().removeprefix(PREFIX).partition("__")
        if name.upper().startswith(PREFIX) and bool(nested) != (section in sections):
            known = [_variable(key) for key in keys()]
            strays.append(f"{name}: unknown variable{_nearest(name.upper(), known)}")
    if strays:
        raise SettingsError("\n".join(strays))


#: the keys of further sections
_FURTHER = {"imap": MailboxSection.model_fields, "spare": RelaySection.model_fields}


def _fault(error: dict[str, Any]) -> str:
    key = ".".join(map(str, error["loc"]))
    variable = _variable(key)
    called = variable if variable in map(str.upper, os.environ) else key
    # A value in [imap] or [spare] under an unknown name is no table of a further one.
    fields = _FURTHER.get(error["loc"][0])
    stray = fields is not None and error["type"] == "model_type"
    if error["type"] == "extra_forbidden" or stray:
        known = list(keys()) if "." in key else list(Settings.model_fields)
        if fields is not None and len(error["loc"]) == 3:
            known = [f"{error['loc'][0]}.{error['loc'][1]}.{name}" for name in fields]
        return f"{called}: unknown key{_nearest(key, known)}"
    return f"{called}: {error['msg'].removeprefix('Value error, ')}"


def _nearest(word: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _shown(value: Any) -> str:  # noqa: ANN401 - whatever a setting may be
    if isinstance(value, SecretStr):
        return "***" if value.get_secret_value() else ""
    if isinstance(value, bool):
        return str(value).lower()
    return re.sub(r"(?<=://)([^/@:]*):.*@|(?<=password=)[^&]+", _masked, str(value))


def _masked(found: re.Match[str]) -> str:
    return "***" if found[1] is None else f"{found[1]}:***@"
