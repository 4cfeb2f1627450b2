"""The door: which names this machine answers to, which pages may send to it, and the headers every answer carries.

A web site elsewhere can make a visitor's browser call an address on the local network, and can even point its own
name at this machine (DNS rebinding). So a request must ask for one of this machine's own names or addresses, and one
that sends something must come from a page that was served under the very same name.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from werkzeug.exceptions import Forbidden

from engine.words import say

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; "
        "img-src 'self' blob:; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(), microphone=(), payment=(), usb=()",
}
"""Nothing from outside is loaded, nothing inside may be framed or read by another site."""


class StrangeNameError(Forbidden):
    """This machine was asked by a name that is not its own: no page of it opens there."""


class Door:
    """Knows the names this machine answers to; `own_names` is asked again when a name is new (Wi-Fi changes)."""

    def __init__(self, own_names: Callable[[], Iterable[str]], more_names: Iterable[str] = ()) -> None:
        self._own_names = own_names
        self._more_names = frozenset(plain_name(name) for name in more_names)
        self._known = frozenset(own_names())

    def answers_to(self, host: str) -> bool:
        """Whether a Host header (with or without a port) names this machine."""
        name = host_name(host)
        if name is None:
            return False
        if name in self._more_names or _is_loopback(name) or name in self._known:
            return True
        self._known = frozenset(self._own_names())
        return name in self._known

    def guard(self, app: Flask) -> None:
        """Check every request of the app at this door and give every answer the headers above."""
        app.before_request(self._check)
        app.after_request(_with_headers)

    def _check(self) -> None:
        if not self.answers_to(request.host):
            if request.endpoint == "static" and request.method in SAFE_METHODS:
                return  # the page that says so looks like the others
            name = host_name(request.host) or say("that name")
            raise StrangeNameError(say("This Kibitz does not answer to {name}. Use its own address, or start it with that name "
                                       "allowed.", name=name))
        if request.method not in SAFE_METHODS and not from_own_page(
            request.host, request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
        ):
            abort(403, say("Another web site tried to send something to Kibitz. Only its own pages may."))


def host_name(host: str) -> str | None:
    """The name in a Host header without its port, as `plain_name`; None for what is no host."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if parts.netloc != host or not parts.hostname or parts.username is not None:
        return None
    return plain_name(parts.hostname)


def plain_name(name: str) -> str:
    """A host name in the one form we compare: lower case, no closing dot, short IPv6, umlauts as browsers ask for them."""
    name = name.strip().strip("[]").rstrip(".").lower()
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        pass
    try:
        return name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:  # no name at all
        return name


def from_own_page(host: str, origin: str | None, fetch_site: str | None) -> bool:
    """Whether a sending request comes from our own page under the same host, or from no page at all (a script)."""
    if fetch_site not in (None, "same-origin", "none"):
        return False
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:  # no address at all
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _with_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
