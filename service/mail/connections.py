"""Explains trouble with a mail server in plain words, and names the setting to check.

It tells apart causes that look alike: a refused login, a login that the server could not judge, a
lost connection, failed encryption, and no answer. It connects to no server itself.
"""

import re
import socket
import ssl

# RFC 5530 §3: the server cannot say now whether the login is correct.
_PASSING = re.compile(r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|CONTACTADMIN|OVERQUOTA)\b", re.I)
_OPEN = re.compile(r"\[PRIVACYREQUIRED\b|LOGINDISABLED", re.I)  # RFC 5530 §3, RFC 3501 §7.2.1
_EXPIRED = re.compile(r"\[EXPIRED\b", re.I)
# X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH
_OUTDATED, _OTHER_NAME = 10, (62, 64)


NO_ANSWER = "nothing answers at {where}; check host and port"
NO_TLS = "{where} does not speak TLS as asked (tls = {tls}); check port and tls"
TOO_SLOW = "{where} does not answer in time; check host, port and firewall (tls = {tls})"


def connection_trouble(error: BaseException, host: str, port: int, tls: str) -> str:
    """Why the connection to a mail server failed, in plain words, and which setting to check."""
    where = f"{host}:{port}"
    if isinstance(error, socket.gaierror):
        return f"no server named {host} is known; check the host name and the network"
    if isinstance(error, ConnectionRefusedError):
        return NO_ANSWER.format(where=where)
    if isinstance(error, ssl.SSLCertVerificationError):
        return _untrusted(error, where)
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return (
            f"{where} broke the encrypted connection off; this may pass by itself, else check "
            f"port and tls (tls = {tls})"
        )
    if isinstance(error, ssl.SSLError):
        return NO_TLS.format(where=where, tls=tls)
    if isinstance(error, TimeoutError):
        return TOO_SLOW.format(where=where, tls=tls)
    if isinstance(error, ConnectionError):
        return f"{where} broke the connection off; this may pass by itself"
    return f"talk with {where} broke off ({type(error).__name__}: {error})"


def lost_at_login(where: str, said: str = "") -> str:
    """The text for a connection that ended during login. It says nothing about the password."""
    words = f" ({said})" if said else ""
    return (
        f"{where} broke the connection off during the login{words}; this may pass by itself, "
        "else ask the provider whether too many are logged in"
    )


LOGIN_REFUSED = (
    "{where} does not let {user} in ({said}); check user and password, which may have been changed "
    "or revoked; many providers want an app password"
)


def login_refused(where: str, user: str, said: str, code: int = 0) -> str:
    """Why a server refused a login. ``code`` is SMTP's (RFC 4954 §4 and §6), 0 for IMAP."""
    if why := _not_judged(where, user, said, code):
        return why
    if _EXPIRED.search(said) or code == 432:
        return f"{where} says that the password of {user} must be changed ({said})"
    return LOGIN_REFUSED.format(where=where, user=user, said=said)


TOKEN_REFUSED = (
    "{where} does not accept the access token of {user} ({said}). It has expired or been "
    "revoked, it is for another account than user, or it may not read and send email"
)


def token_refused(where: str, user: str, said: str, code: int = 0) -> str:
    """Why a server refused a login with an access token. ``code`` is as for `login_refused`."""
    return _not_judged(where, user, said, code) or TOKEN_REFUSED.format(
        where=where, user=user, said=said
    )


TOKENS_UNKNOWN = (
    "{where} takes access tokens in no way that Waybill knows (XOAUTH2; OAUTHBEARER for IMAP); "
    "check host, port and tls, or use a password"
)


def tokens_unknown(where: str) -> str:
    """The text for a server that offers no login with a token."""
    return TOKENS_UNKNOWN.format(where=where)


def _not_judged(where: str, user: str, said: str, code: int) -> str:
    """The text for a server that does not judge a login now, or not in this way; "" if it did."""
    if _PASSING.search(said) or (400 <= code < 500 and code != 432):
        return f"{where} cannot check the login of {user} now ({said}); this may pass by itself"
    if _OPEN.search(said) or code in (530, 538):
        return f"{where} takes no login without encryption ({said}); check tls and port"
    return ""


UNTRUSTED = "the certificate of {where} is not trusted ({why}); {advice}"
OUTDATED = "its owner must renew it; check this machine's clock too"
OTHER_NAME = "check host: it must be the name that the certificate bears"
OWN_AUTHORITY = (
    "if it is signed by an authority of your own, or by itself, name the file of that certificate "
    "in ca_file"
)


def _untrusted(error: ssl.SSLCertVerificationError, where: str) -> str:
    if error.verify_code == _OUTDATED:
        advice = OUTDATED
    else:
        advice = OTHER_NAME if error.verify_code in _OTHER_NAME else OWN_AUTHORITY
    return UNTRUSTED.format(where=where, why=error.verify_message, advice=advice)
