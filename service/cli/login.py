"""The command `waybill login`: asks a provider for access to a mailbox without its password."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.options import ConfigOption, fail, load_settings, out, plain_errors

KEPT = "You are logged in; {file} keeps it."
NOW_CHECK = "Now run:  waybill check"
SET_OAUTH = 'Set in [imap] and [smtp]: oauth = "{provider}"'


def login(
    provider: Annotated[str, typer.Argument(help="gmail or microsoft.")],
    client: Annotated[
        str,
        typer.Option(
            "--client",
            help="Your OAuth client: for gmail the JSON file that Google lets you download, for "
            "microsoft its id.",
        ),
    ],
    tenant: Annotated[
        str, typer.Option("--tenant", help="microsoft: your organization's tenant.")
    ] = "common",
    port: Annotated[
        int, typer.Option("--port", help="gmail: the port to which the browser returns; 0: any.")
    ] = 0,
    config: ConfigOption = None,
) -> None:
    """Log in at Gmail or Microsoft 365 once, so that Waybill needs no password there.

    Waybill keeps the result in the data folder, readable for this user only. The settings need
    oauth in [imap] and [smtp]; `waybill setup` writes it.

    \b
    Example:  waybill login gmail --client client_secret.json
              waybill login microsoft --client 0a1b2c3d-…
    """
    from service.app import logins

    chosen = load_settings(config)
    with plain_errors():
        try:
            match provider:
                case "gmail":
                    file = logins.log_in_to_gmail(chosen, Path(client), port, out.print)
                case "microsoft":
                    file = logins.log_in_to_microsoft(chosen, client, tenant, out.print)
                case _:
                    fail(f"{provider} is not known; it can be gmail or microsoft", 2)
        except logins.NotLoggedIn as refused:
            fail(str(refused))
    out.print(KEPT.format(file=file), soft_wrap=True)
    if chosen.imap.oauth == chosen.smtp.oauth == provider:
        out.print(NOW_CHECK)
    else:
        out.print(SET_OAUTH.format(provider=provider), markup=False)
