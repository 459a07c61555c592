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


def missing(error: ModuleNotFoundError) -> str:
    """A sentence that says how to install the missing module; "" if no extra contains it."""
    extra = _EXTRAS.get((error.name or "").partition(".")[0])
    how = f"in the folder of Waybill's source write pip install '.[{extra}]'"
    return f"{error.name} is not installed: {how}" if extra else ""
