"""Libraries that only some commands need: in which extra of Waybill each of them is."""

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
    """What to install so that the module is there; "" where it belongs to no extra."""
    extra = _EXTRAS.get((error.name or "").partition(".")[0])
    how = f"in the folder of Waybill's source write pip install '.[{extra}]'"
    return f"{error.name} is not installed: {how}" if extra else ""
