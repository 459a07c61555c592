"""The command `waybill deliver`: takes an email from a mail server on this machine, by a pipe."""

import sys
from pathlib import Path

import typer

from service.cli.options import ConfigOption, fail, load_settings, plain_errors

#: the exit code that tells a mail server to try again (sysexits.h)
_TRY_AGAIN = 75


def deliver(config: ConfigOption = None) -> None:
    """Take an email from standard input into the Maildir of imap.maildir, for `waybill serve`.

    Waybill creates a missing Maildir. If it cannot write, the exit code is 75, and the mail server
    tries again.

    Example:  waybill deliver --config /etc/waybill.toml < email
    """
    from service.mail.maildir import deliver as put

    chosen = load_settings(config)
    if not chosen.imap.maildir:
        fail("imap.maildir is not set: name the Maildir that `waybill serve` reads", 2)
    try:
        with plain_errors():
            put(Path(chosen.imap.maildir), sys.stdin.buffer.read())
    except typer.Exit:
        raise typer.Exit(_TRY_AGAIN) from None
