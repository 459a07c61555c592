"""The command `waybill letters`: lists undelivered emails with the reasons, and resends them."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from email import message_from_bytes, policy
from typing import Annotated

import typer
from rich.table import Table

from service.cli.options import ConfigOption, JsonOption, fail, load_settings, out, plain_errors
from service.store import OutboxRow, Store
from service.store.tables import OutboxStatus


def letters(
    number: Annotated[int, typer.Argument(help="The number of an email in the list.")] = 0,
    resend: Annotated[
        bool, typer.Option("--resend", help="Send undelivered emails again.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="With --resend: all undelivered emails.")
    ] = False,
    game: Annotated[str, typer.Option("--game", help="Only emails of this game.")] = "",
    recipient: Annotated[str, typer.Option("--to", help="Only emails to this address.")] = "",
    waiting: Annotated[
        bool, typer.Option("--waiting", help="List the emails that are not sent yet, and why.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List undelivered emails, show one, or send them again.

    An email is undelivered if a server refuses it for good, or for now eight times within about
    thirteen hours, or if a delivery report says that it came back. The operator, the organizer and
    the players who wait get one email about it. Remove the cause, then send it again unchanged.
    Trouble of your own mail server makes no email undelivered: such emails wait.

    \b
    Undelivered emails:        waybill letters
    Emails that wait:          waybill letters --waiting
    Show one with its text:    waybill letters 17
    Send it again:             waybill letters 17 --resend
    Those of a game to Dan:    waybill letters --resend --game dixie7 --to dan@example.org
    All of them:               waybill letters --resend --all
    """
    from service.app.wiring import open_store

    with plain_errors():
        store = open_store(load_settings(config))
        try:
            if number and not resend:
                _show(store, number)
                return
            statuses: tuple[OutboxStatus, ...] = (
                ("new", "working") if waiting and not resend else ("failed",)
            )
            rows: Sequence[OutboxRow] = store.letters.all(statuses, game, recipient)
            if resend:
                if not (number or every or game or recipient):
                    fail("which emails? Give a number, --game, --to or --all", 2)
                _resend(store, (number,) if number else [row.id for row in reversed(rows)])
            elif as_json:
                out.print_json(json.dumps([_facts(row) for row in rows]), ensure_ascii=True)
            else:
                _list(rows, NONE_WAITS if waiting else NONE_FAILED)
        finally:
            store.close()


def _facts(row: OutboxRow) -> dict[str, object]:
    names = ("id", "status", "game", "kind", "recipient", "tries", "note", "message_id")
    found: dict[str, object] = {name: getattr(row, name) for name in names}
    return found | {"created": _time(row.created), "sent": _time(row.sent) if row.sent else None}


NONE_FAILED = "No email failed."
NONE_WAITS = "No email waits."


def _list(rows: Sequence[OutboxRow], none: str) -> None:
    if not rows:
        out.print(none)
        return
    table = Table("letter", "written", "game", "kind", "to", "tries", "why")
    for row in rows:
        facts = (row.id, _time(row.created), row.game or "-", row.kind, row.recipient, row.tries)
        table.add_row(*map(str, facts), row.note or "-")
    out.print(table)


def _show(store: Store, number: int) -> None:
    row = store.letters.get(number)
    if row is None:
        fail(f"there is no email {number}; `waybill letters` lists those that failed")
    for name, value in _facts(row).items():
        out.print(f"{name:10} {'-' if value in (None, '') else value}")
    if not row.raw:
        out.print("Its words are no longer kept.")
        return
    mail = message_from_bytes(row.raw, policy=policy.default)
    body = mail.get_body(("plain",))
    out.print(f"{'subject':10} {mail['Subject']}\n")
    out.print(body.get_content() if body is not None else "")


SENT_AGAIN = "email {number} will be sent again"
NOT_SENT_AGAIN = "email {number} cannot be sent again: {trouble}"
NO_SUCH_FAILED = "No such email failed."


def _resend(store: Store, numbers: Sequence[int]) -> None:
    from service.desk import door

    refused = 0
    for number in numbers:
        trouble = door.resend(store, number)
        refused += bool(trouble)
        text = NOT_SENT_AGAIN if trouble else SENT_AGAIN
        out.print(text.format(number=number, trouble=trouble))
    if not numbers:
        out.print(NO_SUCH_FAILED)
    if refused:
        raise typer.Exit(1)


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
