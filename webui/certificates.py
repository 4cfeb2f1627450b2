"""Certificates for the local network: a small authority of this machine's own, and what it certifies.

Browsers open a camera and keep a screen awake only for pages that come encrypted, and no public authority certifies
an address at home. So this machine makes an authority once; whoever installs it on a phone is not warned again. It
can certify private addresses and local names alone: should its key ever be stolen, it is good for nothing else.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_LIFE = timedelta(days=3650)
SERVER_LIFE = timedelta(days=397)
"""Phones refuse longer ones (Apple: 825 days for one's own authority, 398 for the public ones)."""
RENEW_BEFORE = timedelta(days=30)
CLOCKS_DIFFER = timedelta(days=1)

NETWORKS = tuple(
    ipaddress.ip_network(text)
    for text in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
                 "::1/128", "fc00::/7", "fe80::/10")
)  # fmt: skip
"""Addresses that mean another machine in every house (RFC 1918, 3927, 4193, 4291, 6598)."""
ENDINGS = ("localhost", "local", "lan", "home", "home.arpa", "internal", "fritz.box")
"""Names that do so: the last label or labels."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """The files of one machine (PEM): `authority` to install on phones, `server` with its `key` to serve with."""

    authority: Path
    server: Path
    key: Path


def local_certificates(folder: Path, machine: str, names: Iterable[str], now: datetime | None = None) -> Certificates:
    """The certificates in that folder, made or made anew where they are missing, old, or lack a name.

    machine: this machine's name, shown where the authority is installed. names: host names and addresses it is asked
    for; those that are not local are left out. Raises OSError where the folder cannot be written.
    """
    now = now or datetime.now(UTC)
    folder.mkdir(parents=True, exist_ok=True)
    found = Certificates(folder / "authority.pem", folder / "server.pem", folder / "server-key.pem")
    authority_key = folder / "authority-key.pem"
    wanted = sorted({name for name in names if _is_local(name, machine)} | {"localhost", "127.0.0.1", "::1"})
    if not _is_good(found.authority, authority_key, now) or machine not in _machine_of(found.authority):
        key = ec.generate_private_key(ec.SECP256R1())
        _write(authority_key, _key_bytes(key), secret=True)
        _write(found.authority, _authority(key, machine, now).public_bytes(serialization.Encoding.PEM))
        found.server.unlink(missing_ok=True)
    if not _is_good(found.server, found.key, now) or set(wanted) - names_of(found.server):
        issuer = x509.load_pem_x509_certificate(found.authority.read_bytes())
        issuer_key = serialization.load_pem_private_key(authority_key.read_bytes(), None)
        assert isinstance(issuer_key, ec.EllipticCurvePrivateKey)
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = _certified(key, wanted, issuer, issuer_key, now)
        _write(found.key, _key_bytes(key), secret=True)
        _write(found.server, certificate.public_bytes(serialization.Encoding.PEM))
    return found


def names_of(certificate: Path) -> set[str]:
    """The names and addresses a certificate is for."""
    read = x509.load_pem_x509_certificate(certificate.read_bytes())
    names = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names}


def fingerprint(certificate: Path) -> str:
    """SHA-256 of a certificate, as phones show it: to compare before trusting it."""
    read = x509.load_pem_x509_certificate(certificate.read_bytes())
    return read.fingerprint(hashes.SHA256()).hex(":").upper()


def _is_local(name: str, machine: str) -> bool:
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name == machine or any(name == ending or name.endswith(f".{ending}") for ending in ENDINGS)
    return any(address in network for network in NETWORKS)


def _is_good(certificate: Path, key: Path, now: datetime) -> bool:
    """Whether both files are there, belong together, and last a while; not yet valid they are where a clock was put right."""
    try:
        read = x509.load_pem_x509_certificate(certificate.read_bytes())
        private = serialization.load_pem_private_key(key.read_bytes(), None)
    except (OSError, ValueError):
        return False
    valid = read.not_valid_before_utc <= now < read.not_valid_after_utc - RENEW_BEFORE
    return read.public_key() == private.public_key() and valid


def _machine_of(authority: Path) -> str:
    return str(x509.load_pem_x509_certificate(authority.read_bytes()).subject.rfc4514_string())


def _authority(key: ec.EllipticCurvePrivateKey, machine: str, now: datetime) -> x509.Certificate:
    name = x509.Name([
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Kibitz"),
        x509.NameAttribute(NameOID.COMMON_NAME, f"Kibitz on {machine}"[:64]),
    ])  # fmt: skip
    allowed: list[x509.GeneralName] = [x509.IPAddress(network) for network in NETWORKS]
    allowed += [x509.DNSName(ending) for ending in (*ENDINGS, machine)]
    return (
        _builder(name, name, key, now, AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(key_cert_sign=True), critical=True)
        .add_extension(x509.NameConstraints(allowed, None), critical=True)
        .sign(key, hashes.SHA256())
    )


def _certified(
    key: ec.EllipticCurvePrivateKey, names: list[str], issuer: x509.Certificate,
    issuer_key: ec.EllipticCurvePrivateKey, now: datetime,
) -> x509.Certificate:  # fmt: skip
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Kibitz")])
    return (
        _builder(subject, issuer.subject, key, now, SERVER_LIFE)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(digital_signature=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
        .sign(issuer_key, hashes.SHA256())
    )


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, life: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_DIFFER)
        .not_valid_after(now + life)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(**wanted: bool) -> x509.KeyUsage:
    every = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
             "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")  # fmt: skip
    return x509.KeyUsage(**{use: wanted.get(use, False) for use in every})


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _key_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(path: Path, content: bytes, secret: bool = False) -> None:
    """Write a file whole or not at all; a secret one is readable by its owner only from the start."""
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if secret else 0o644), "wb") as file:
        file.write(content)
    beside.replace(path)
