"""Logs in at Gmail and Microsoft 365 with an operator's permission, and gets access tokens.

The permission (a refresh token, RFC 6749 §1.5) is in a file of the data folder that only its user
can read. Microsoft gives it for a code that the operator types on any device (RFC 8628). Google
does not allow that for mailboxes, so there a browser returns to this machine (RFC 8252 §7.3). The
answers of the providers are never logged. Several workers may use a permission at once: a new
refresh token does not end the one before, at neither provider.
"""

import json
import os
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from service import rights
from service.app.private import data_folder
from service.mail.tokens import TokenTrouble
from service.settings import Settings, SettingsError

LoginProvider = Literal["gmail", "microsoft"]

#: seconds for one answer of a provider: no longer than the service may take to stop
_TIMEOUT = 8
#: seconds within which the browser must return
_BROWSER = 600
_GOOGLE_SCOPES = ("https://mail.google.com/",)
_GOOGLE_KEPT = ("refresh_token", "token_uri", "client_id", "client_secret")
MICROSOFT = "https://login.microsoftonline.com"
_MICROSOFT_SCOPES = (
    "https://outlook.office.com/IMAP.AccessAsUser.All",
    "https://outlook.office.com/SMTP.Send",
)
#: the errors of Microsoft for a code that nobody entered in its 15 minutes (RFC 8628 §3.5)
_NOT_ENTERED = ("authorization_pending", "expired_token")
#: errors that may pass by themselves (RFC 6749 §4.1.2.1)
_PASSING = ("temporarily_unavailable", "server_error")


class NotLoggedIn(Exception):
    """A login failed. The text says why."""


def place(settings: Settings, provider: LoginProvider) -> Path:
    """The file with the result of an operator's login."""
    return Path(settings.data.dir) / f"login-{provider}.json"


# ---------------------------------------------------------------------------- logging in

NO_CLIENT = (
    "{file} is not the file of an OAuth client for desktop apps: download it at Google ({why})"
)
GO_THERE = (
    "Open this address in a browser on this machine, and log in as the account of the mailbox:\n\n"
    "{url}\n"
)
NOT_ITS_SCOPE = "it gave other permissions than those that were asked for; allow the access to mail"
ENDS = (
    "Google ends this login on {end}, because your OAuth client is in testing. Publish the client "
    "(docs/operators-gmail.md) and log in again.\n"
)
NO_BROWSER = "nobody came back from Google within {minutes} minutes; nothing was saved"
NOT_ENTERED = "the code was not entered in time; nothing was saved"
NO_TENANT = "the tenant {tenant} is not known at Microsoft"
NO_LASTING_LEAVE = "{provider} gave no refresh token, so nothing was saved; try again"
NOT_GIVEN = "{provider} did not let you in: {why}"


def log_in_to_gmail(
    settings: Settings, client: Path, port: int, tell: Callable[[str], None]
) -> Path:
    """Ask for permission in a browser, which returns to ``port``. Returns the written file.

    ``client`` is the file that Google's console offers for download. ``tell`` shows when the login
    ends, if Google limits it. Raises NotLoggedIn.
    """
    from google_auth_oauthlib.flow import InstalledAppFlow, WSGITimeoutError
    from oauthlib.oauth2.rfc6749.errors import OAuth2Error

    try:
        known = json.loads(client.read_text(encoding="utf-8"))
        if "installed" not in known:
            raise ValueError("it is of another type")
        flow = InstalledAppFlow.from_client_config(known, _GOOGLE_SCOPES)
    except (TypeError, ValueError) as error:
        raise NotLoggedIn(NO_CLIENT.format(file=client, why=error)) from None
    try:
        given = flow.run_local_server(
            port=port,
            open_browser=False,
            authorization_prompt_message=GO_THERE,
            timeout_seconds=_BROWSER,
            prompt="consent",
            access_type="offline",
        )
    except WSGITimeoutError:
        raise NotLoggedIn(NO_BROWSER.format(minutes=_BROWSER // 60)) from None
    except Warning:  # so oauthlib says that the scope is another one
        raise NotLoggedIn(NOT_GIVEN.format(provider="Google", why=NOT_ITS_SCOPE)) from None
    except (OAuth2Error, OSError) as error:
        raise NotLoggedIn(NOT_GIVEN.format(provider="Google", why=error)) from None
    if not given.refresh_token:
        raise NotLoggedIn(NO_LASTING_LEAVE.format(provider="Google"))
    if seconds := flow.oauth2session.token.get("refresh_token_expires_in"):
        end = datetime.now(UTC) + timedelta(seconds=int(seconds))
        tell(ENDS.format(end=f"{end:%-d %B %Y}"))
    data_folder(settings)
    leave = {name: getattr(given, name) for name in _GOOGLE_KEPT}
    return _save(place(settings, "gmail"), json.dumps(leave))


def log_in_to_microsoft(
    settings: Settings, client: str, tenant: str, tell: Callable[[str], None]
) -> Path:
    """Ask for permission by a code that ``tell`` shows. Returns the written file.

    Raises NotLoggedIn.
    """
    import msal

    kept = {"client": client, "tenant": tenant, "cache": ""}
    cache = msal.SerializableTokenCache()
    try:
        app = _microsoft(kept, cache)
    except ValueError:
        raise NotLoggedIn(NO_TENANT.format(tenant=tenant)) from None
    except (OSError, msal.exceptions.MsalError) as error:
        raise NotLoggedIn(NOT_GIVEN.format(provider="Microsoft", why=error)) from None
    try:
        flow = app.initiate_device_flow(list(_MICROSOFT_SCOPES))
        if "message" not in flow:
            raise NotLoggedIn(NOT_GIVEN.format(provider="Microsoft", why=_said(flow)))
        tell(str(flow["message"]))
        given = app.acquire_token_by_device_flow(flow)
    except (OSError, ValueError, msal.exceptions.MsalError) as error:
        raise NotLoggedIn(NOT_GIVEN.format(provider="Microsoft", why=error)) from None
    if given.get("error") in _NOT_ENTERED:
        raise NotLoggedIn(NOT_ENTERED)
    if "access_token" not in given:
        raise NotLoggedIn(NOT_GIVEN.format(provider="Microsoft", why=_said(given)))
    if not app.get_accounts():
        raise NotLoggedIn(NO_LASTING_LEAVE.format(provider="Microsoft"))
    kept["cache"] = cache.serialize()
    data_folder(settings)
    return _save(place(settings, "microsoft"), json.dumps(kept))


# ---------------------------------------------------------------------------- access tokens

NOT_YET = "{provider}: nobody has logged in; write: waybill login {provider}"
LOG_IN_AGAIN = "{provider} gives no access token ({why}); write: waybill login {provider}"
UNREACHED = "{provider} gives no access token now ({why}); this may pass by itself"
DAMAGED = "{file} is not a saved login; write: waybill login {provider}"


def tokens_of(settings: Settings, provider: LoginProvider) -> Callable[[], str]:
    """The function that gets an access token, for `AccessTokens`.

    Raises SettingsError if nobody has logged in, and ModuleNotFoundError without the extra `oauth`.
    """
    file = place(settings, provider)
    if why := rights.hindrance(file, rights.USE):
        raise SettingsError(why)
    if not file.exists():
        raise SettingsError(NOT_YET.format(provider=provider))
    if provider == "gmail":
        # imported here, so that the start reports its absence
        import_module("google.auth.transport.requests")
        return partial(_google_token, file)
    import_module("msal")
    return partial(_microsoft_token, file)


def _google_token(file: Path) -> str:
    from google.auth.exceptions import GoogleAuthError, TransportError
    from google.auth.transport.requests import Request
    from google.oauth2.credentials import Credentials

    kept = _kept(file, "gmail")
    try:
        leave = Credentials(  # type: ignore[no-untyped-call]
            None, **{name: kept[name] for name in _GOOGLE_KEPT}
        )
        leave.refresh(partial(Request(), timeout=_TIMEOUT))  # type: ignore[no-untyped-call]
    except TransportError as error:
        why = type(error.__cause__ or error).__name__
        raise TokenTrouble(UNREACHED.format(provider="gmail", why=why)) from None
    except GoogleAuthError as error:
        answer = next((one for one in error.args if isinstance(one, dict)), {})
        # a refusal is JSON (RFC 6749 §5.2); anything else is from a server in trouble
        text = UNREACHED if error.retryable or not answer else LOG_IN_AGAIN
        raise TokenTrouble(text.format(provider="gmail", why=_said(answer))) from None
    except (KeyError, TypeError, ValueError):
        raise TokenTrouble(DAMAGED.format(file=file, provider="gmail")) from None
    if leave.refresh_token != kept["refresh_token"]:
        _save(file, json.dumps({**kept, "refresh_token": leave.refresh_token}))
    return str(leave.token)


def _microsoft_token(file: Path) -> str:
    import msal

    kept, cache = _kept(file, "microsoft"), msal.SerializableTokenCache()
    damaged = TokenTrouble(DAMAGED.format(file=file, provider="microsoft"))
    try:
        cache.deserialize(kept["cache"])
        known = {name: kept[name] for name in ("client", "tenant")}
    except (LookupError, TypeError, ValueError):
        raise damaged from None
    try:
        app = _microsoft(known, cache)
        accounts = app.get_accounts()
        if len(accounts) != 1:
            raise damaged
        # A server has refused the token in the cache, or there is none, so only a new one will do.
        given = app.acquire_token_silent_with_error(
            list(_MICROSOFT_SCOPES), accounts[0], force_refresh=True
        )
    except (OSError, ValueError, msal.exceptions.MsalError) as error:
        why = type(error).__name__
        raise TokenTrouble(UNREACHED.format(provider="microsoft", why=why)) from None
    if not given or "access_token" not in given:
        text = UNREACHED if (given or {}).get("error") in _PASSING else LOG_IN_AGAIN
        raise TokenTrouble(text.format(provider="microsoft", why=_said(given or {})))
    if cache.has_state_changed:  # Microsoft gives a new refresh token each time
        _save(file, json.dumps({**kept, "cache": cache.serialize()}))
    return str(given["access_token"])


def _microsoft(kept: dict[str, str], cache: Any) -> Any:  # noqa: ANN401 - msal has no types
    import msal

    return msal.PublicClientApplication(
        kept["client"],
        authority=f"{MICROSOFT}/{kept['tenant']}",
        token_cache=cache,
        # It would find out which host is Microsoft's, but that is known here.
        instance_discovery=False,
        timeout=_TIMEOUT,
    )


def _said(answer: dict[str, Any]) -> str:
    """The reason in an answer without a token: codes, never anything that may be a token.

    Microsoft adds numbers, which https://login.microsoftonline.com/error explains.
    """
    code = str(answer.get("error", "no reason given"))
    numbers = answer.get("error_codes")
    own = numbers if isinstance(numbers, list) else ()
    codes = (code, *(f"AADSTS{number}" for number in own if isinstance(number, int)))
    return ", ".join(codes) if len(code) < 60 and code.isprintable() else "no reason given"


def _kept(file: Path, provider: LoginProvider) -> dict[str, str]:
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise TokenTrouble(f"{file}: {error.strerror}") from None
    except ValueError:
        kept = None
    if not isinstance(kept, dict):
        raise TokenTrouble(DAMAGED.format(file=file, provider=provider))
    return kept


def _save(file: Path, text: str) -> Path:
    """Replace a file by a text, for this user alone, completely or not at all."""
    descriptor, written = tempfile.mkstemp(dir=file.parent)  # 0600, whatever the umask
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        os.replace(written, file)
    except BaseException:
        os.unlink(written)
        raise
    return file
