"""Settings come from one file and the environment, and a mistake in them is named, not passed over."""

import os
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from service import resources
from service.app.private import data_folder, secret
from service.app.servers import spares_of
from service.settings import (
    Settings,
    SettingsError,
    check_mail,
    explain,
    keys,
    load,
)
from service.store import ANSWERS


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the caller's, and an empty working directory."""
    for name in os.environ:
        if name.startswith("WAYBILL_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def written(text: str) -> Settings:
    Path("own.toml").write_text(text)
    return load(Path("own.toml"))


def rows(settings: Settings) -> dict[str, tuple[str, str]]:
    return {row.key: (row.value, row.source) for row in explain(settings)}


def test_default_toml_lists_exactly_the_known_keys_with_their_defaults() -> None:
    listed = tomllib.loads((resources.folder("config") / "default.toml").read_text())
    flat = {f"{s}.{key}": value for s, table in listed.items() for key, value in table.items()}
    true = {
        key: "" if isinstance(field.default, SecretStr) else field.default
        for key, field in keys().items()
    }
    assert list(flat.items()) == list(true.items())


def test_default_toml_says_of_each_key_what_the_program_says() -> None:
    section, comment, said = "", [], {}
    for line in (resources.folder("config") / "default.toml").read_text().splitlines():
        if line.startswith("#"):
            comment.append(line.removeprefix("# "))
            continue
        if line.startswith("["):
            section = line.strip("[]")
        elif " = " in line:
            said[f"{section}.{line.partition(' = ')[0]}"] = " ".join(comment)
        comment = []
    assert said == {key: field.description for key, field in keys().items()}


def test_the_example_can_be_loaded_and_is_enough_to_serve_mails() -> None:
    settings = load(resources.folder("config") / "example.toml")
    check_mail(settings)
    assert (settings.imap.port, settings.imap.tls) == (993, "tls")
    assert (settings.smtp.port, settings.smtp.tls) == (587, "starttls")


def test_without_file_and_environment_all_is_default() -> None:
    settings = load(None)
    assert {source for _, source in rows(settings).values()} == {"default"}
    assert settings.database_url == "sqlite:///waybill-data/waybill.sqlite"


def test_the_environment_goes_over_the_file_and_the_file_over_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WAYBILL_IMAP__HOST", "env.example")
    monkeypatch.setenv("WAYBILL_LOG__JSON", "true")
    settings = written('[imap]\nhost = "file.example"\nport = 143\n')
    assert (settings.imap.host, settings.imap.port, settings.log.as_json) == (
        "env.example",
        143,
        True,
    )
    shown = rows(settings)
    assert shown["imap.host"] == ("env.example", "WAYBILL_IMAP__HOST")
    assert shown["imap.port"] == ("143", "own.toml")
    assert shown["log.json"] == ("true", "WAYBILL_LOG__JSON")
    assert shown["imap.folder"] == ("INBOX", "default")


def test_further_mailboxes_have_sections_and_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYBILL_IMAP__CLUB__PASSWORD", "s3cret")
    settings = written('[imap]\nhost = "x"\n[imap.club]\nhost = "y"\nuser = "club"\nport = 143\n')
    assert list(settings.imap.mailboxes()) == ["imap", "imap.club"]
    club = settings.imap.mailboxes()["imap.club"]
    assert (club.host, club.port, club.folder, club.secret()) == ("y", 143, "INBOX", "s3cret")
    shown = rows(settings)
    assert shown["imap.club.password"] == ("***", "WAYBILL_IMAP__CLUB__PASSWORD")
    assert shown["imap.club.port"] == ("143", "own.toml")
    assert shown["imap.club.folder"] == ("INBOX", "default")


def test_further_spare_servers_have_sections_in_their_order() -> None:
    settings = written(
        '[spare]\nhost = "b"\n[spare.third]\nhost = "c"\nport = 465\n[spare.a4]\nhost = "d"\n'
    )
    found = {name: (one.host, one.port) for name, one in spares_of(settings).items()}
    assert found == {"spare": ("b", 587), "spare.third": ("c", 465), "spare.a4": ("d", 587)}
    assert list(found) == ["spare", "spare.third", "spare.a4"]
    assert rows(settings)["spare.third.port"] == ("465", "own.toml")


def test_the_environment_may_name_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("other.toml").write_text("[jobs]\nfetch = 7\n")
    monkeypatch.setenv("WAYBILL_CONFIG", "other.toml")
    assert load(None).jobs.fetch == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[mail]\nadress = "a@x"', "mail.adress: unknown key; did you mean mail.address?"),
        ('[imaps]\nhost = "x"', "imaps: unknown key; did you mean imap?"),
        ("[log]\nas_json = true", "log.as_json: unknown key; did you mean log.json?"),
        ("[imap]\nport = 70000", "imap.port: Input should be less than or equal to 65535"),
        ('[mail]\naddress = "waybill"', "mail: address is not an email address: waybill"),
        ('[smtp]\ntls = "ssl"', "smtp.tls: Input should be 'tls', 'starttls' or 'none'"),
        ("[imap.club]\nhots = 3", "imap.club.hots: unknown key; did you mean imap.club.host?"),
        ('[imap.club]\nhost = "x"', "imap: club needs user, or maildir"),
        (
            "[spare.third]\nhots = 3",
            "spare.third.hots: unknown key; did you mean spare.third.host?",
        ),
        ("[spare.third]\nport = 25", "spare: third needs host"),
        ('[spare]\nhots = "x"', "spare.hots: unknown key; did you mean spare.host?"),
        ('[imap.my-club]\nmaildir = "x"', "imap: my-club: the name of a section"),
        ('[imap]\nfoldr = "x"', "imap.foldr: unknown key; did you mean imap.folder?"),
        ("mail = 3", "mail: Input should be a valid dictionary or instance of MailSection"),
        ("[mail", "own.toml: "),
    ],
)
def test_a_mistake_in_the_file_is_named(text: str, said: str) -> None:
    with pytest.raises(SettingsError) as error:
        written(text)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("WAYBILL_IMAP__HOSTT", "unknown key; did you mean imap.host?"),
        ("WAYBILL_IMPA__HOST", "unknown variable; did you mean WAYBILL_IMAP__HOST?"),
        ("WAYBILL_IMAP", "unknown variable"),
        ("WAYBILL_JOBS__FETCH", "Input should be a valid integer"),
    ],
)
def test_a_mistake_in_the_environment_is_named(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "soon")
    with pytest.raises(SettingsError) as error:
        load(None)
    assert str(error.value).startswith(f"{name}: {said}")


def test_all_faults_of_a_file_are_named_at_once() -> None:
    with pytest.raises(SettingsError) as error:
        written("[imap]\nport = 0\n[jobs]\nfetch = 0\n")
    assert len(str(error.value).splitlines()) == 2


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(
        SettingsError, match=r"^gone.toml: No such file.*`waybill setup --config gone.toml`"
    ):
        load(Path("gone.toml"))


def test_no_password_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "WAYBILL_DATABASE__URL", "postgresql+psycopg://way:s3/cr@t@db/x?password=s3c"
    )
    settings = written('[mail]\nsecret = "s3cret-s3cret-s3cret"\n[imap]\npassword = "s3cret"\n')
    shown = rows(settings)
    assert shown["imap.password"][0] == shown["mail.secret"][0] == "***"
    assert shown["smtp.password"][0] == ""
    assert shown["database.url"][0] == "postgresql+psycopg://way:***@db/x?password=***"
    assert "s3" not in str(shown) and "s3cret" not in repr(settings)
    assert settings.imap.secret() == "s3cret"


def test_a_password_may_lie_in_a_file_but_not_in_two_places() -> None:
    Path("imap-password").write_text("s3cret\n")
    assert written('[imap]\npassword_file = "imap-password"').imap.secret() == "s3cret"
    with pytest.raises(SettingsError, match=r"^gone: No such file"):
        written('[smtp]\npassword_file = "gone"').smtp.secret()
    with pytest.raises(SettingsError, match="not both"):
        written('[imap]\npassword = "s3cret"\npassword_file = "imap-password"')


def test_a_missing_secret_is_made_once_and_kept_from_others() -> None:
    settings = load(None)
    with ThreadPoolExecutor(4) as pool:
        made = set(pool.map(lambda _: secret(settings), range(4)))
    assert made == {secret(load(None))}
    kept = data_folder(settings) / "secret"
    assert (kept.stat().st_mode & 0o777, len(made.pop())) == (0o600, 43)
    assert [path.name for path in data_folder(settings).iterdir()] == ["secret"]


def test_a_secret_may_be_given_but_not_a_short_one_nor_two() -> None:
    Path("secret").write_text("from a file, long enough\n")
    assert secret(written('[mail]\nsecret = "0123456789abcdef"')) == b"0123456789abcdef"
    assert secret(written('[mail]\nsecret_file = "secret"')) == b"from a file, long enough"
    for text in ('secret = "short"', 'secret = "0123456789abcdef"\nsecret_file = "secret"'):
        with pytest.raises(SettingsError, match="mail"):
            secret(written(f"[mail]\n{text}"))


def test_what_is_needed_to_serve_mails_is_named() -> None:
    with pytest.raises(SettingsError) as error:
        check_mail(written('[imap]\nhost = "x"'))
    assert [line.partition(":")[0] for line in str(error.value).splitlines()] == [
        "mail.address",
        "imap.user",
        "smtp.host",
    ]


def test_answers_are_rationed_as_the_store_does_by_itself() -> None:
    assert {**ANSWERS, **load(None).answers} == ANSWERS
    assert written("[limits]\nerror_minutes = 1").answers["error"][0] == (1, 60)
