"""Maps each optional library to the extra of Waybill that installs it."""

_EXTRAS = {
    "aiosmtpd": "demo",
    "pymap": "demo",
    "psycopg": "postgresql",
    "google": "oauth",
    "google_auth_oauthlib": "oauth",
    "msal": "oauth",
    "requests": "oauth",
}


NOT_INSTALLED = (
    "{module} is not installed: in the folder of Waybill's source write pip install '.[{extra}]'"
)


def missing(error: ModuleNotFoundError) -> str:
    """A sentence that says how to install the missing module; "" if no extra contains it."""
    extra = _EXTRAS.get((error.name or "").partition(".")[0])
    return NOT_INSTALLED.format(module=error.name, extra=extra) if extra else ""
