"""Where the page is found: this machine's names and addresses, and the QR code that carries one to a phone."""

from __future__ import annotations

import io
import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import ifaddr
import segno
from flask import request

from engine.words import say
from webui.languages import asked_language, said

NOWHERE = "192.0.2.1"
"""An address nobody has (RFC 5737): asking for the way there sends nothing and names our own main address."""


def machine_addresses() -> tuple[str, ...]:
    """This machine's IP addresses, loopback included, in no order."""
    found = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            found.append(ip.ip if isinstance(ip.ip, str) else ip.ip[0])
    return tuple(dict.fromkeys(found))


def machine_names() -> frozenset[str]:
    """Every name and address by which a browser may ask for this machine, lower case."""
    host = socket.gethostname().lower()
    short = host.partition(".")[0]
    return frozenset({"localhost", host, short, f"{short}.local", *machine_addresses()}) - {""}


def lan_addresses() -> tuple[str, ...]:
    """IPv4 addresses under which others on the local network reach this machine, the likeliest first."""
    usable = [text for text in machine_addresses() if _is_reachable(text)]
    main = _main_address()
    return tuple(sorted(usable, key=lambda text: (text != main, not ipaddress.ip_address(text).is_private)))


def _is_reachable(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return address.version == 4 and not (address.is_loopback or address.is_link_local or address.is_unspecified)


def _main_address() -> str:
    """The address of the network card that leads out, or an empty text without a network."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((NOWHERE, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class Ways:
    """The ports pages are served on: plain, and encrypted where there is a certificate of this `authority` (PEM file)."""

    port: int | None = None
    secure_port: int | None = None
    authority: Path | None = None


def page_urls(hosts: Iterable[str], port: int, scheme: str = "http", page: str = "") -> list[str]:
    """A page's address under each host, as a person would type it."""
    ending = "" if port == {"http": 80, "https": 443}[scheme] else f":{port}"
    return [f"{scheme}://{f'[{host}]' if ':' in host else host}{ending}/{page}" for host in hosts]


def asked_port() -> int:
    """The port that the browser of the present request asked for."""
    port = request.host.rpartition(":")[2]
    return int(port) if port.isdigit() else 80


def qr_svg(url: str) -> str:
    """The QR code of an address as an SVG element to be put into a page; dark on light in every colour scheme."""
    out = io.BytesIO()
    code = segno.make(url, error="m", micro=False)
    code.save(
        out,
        kind="svg",
        xmldecl=False,
        svgns=True,
        omitsize=True,
        border=4,
        dark="#10201a",
        light="#ffffff",
        svgclass="qr",
        lineclass=None,
        title=said(say("QR code of {url}", url=url), asked_language()),
    )
    return out.getvalue().decode()


def qr_text(url: str) -> str:
    """The QR code of an address in block characters, for a terminal."""
    out = io.StringIO()
    segno.make(url, error="l", micro=False).terminal(out, compact=True, border=2)
    return out.getvalue()
