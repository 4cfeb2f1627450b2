"""The authority of this machine: made once, kept, good for local names alone, and renewed in time."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509

from webui.certificates import fingerprint, local_certificates, names_of

NOW = datetime(2030, 1, 1, tzinfo=UTC)
NAMES = ("table", "table.local", "192.168.1.20", "93.184.216.34", "club.example")


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_it_is_for_local_names_only(tmp_path: Path) -> None:
    made = local_certificates(tmp_path, "table", NAMES, NOW)
    assert names_of(made.server) == {"table", "table.local", "192.168.1.20", "localhost", "127.0.0.1", "::1"}
    authority = read(made.authority)
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical and limits.value.permitted_subtrees
    allowed = {str(subtree.value) for subtree in limits.value.permitted_subtrees}
    assert "192.168.0.0/16" in allowed and "0.0.0.0/0" not in allowed
    read(made.server).verify_directly_issued_by(authority)


def test_it_is_made_once_and_kept(tmp_path: Path) -> None:
    first = local_certificates(tmp_path, "table", NAMES, NOW)
    before = first.server.read_bytes(), fingerprint(first.authority)
    again = local_certificates(tmp_path, "table", NAMES, NOW + timedelta(days=100))
    assert (again.server.read_bytes(), fingerprint(again.authority)) == before


def test_a_new_address_or_age_renews_the_certificate_and_not_the_authority(tmp_path: Path) -> None:
    first = local_certificates(tmp_path, "table", NAMES, NOW)
    trusted, server = fingerprint(first.authority), first.server.read_bytes()
    moved = local_certificates(tmp_path, "table", [*NAMES, "10.0.0.5"], NOW)
    assert "10.0.0.5" in names_of(moved.server) and moved.server.read_bytes() != server
    later = NOW + timedelta(days=380)
    renewed = local_certificates(tmp_path, "table", NAMES, later)
    assert read(renewed.server).not_valid_after_utc > later + timedelta(days=300)
    assert fingerprint(renewed.authority) == trusted


def test_what_was_made_while_the_clock_was_ahead_is_made_anew(tmp_path: Path) -> None:
    local_certificates(tmp_path, "table", NAMES, NOW + timedelta(days=300))
    made = local_certificates(tmp_path, "table", NAMES, NOW)
    assert read(made.authority).not_valid_before_utc <= NOW, "a phone refuses what is not valid yet"
    assert read(made.server).not_valid_before_utc <= NOW
    read(made.server).verify_directly_issued_by(read(made.authority))


def test_phones_accept_its_length(tmp_path: Path) -> None:
    made = read(local_certificates(tmp_path, "table", NAMES, NOW).server)
    assert made.not_valid_after_utc - made.not_valid_before_utc <= timedelta(days=398)


def test_keys_are_for_their_owner_alone_and_spoilt_files_are_made_anew(tmp_path: Path) -> None:
    made = local_certificates(tmp_path, "table", NAMES, NOW)
    for key in (made.key, tmp_path / "authority-key.pem"):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    trusted = fingerprint(made.authority)
    (tmp_path / "authority-key.pem").write_text("spoilt")
    again = local_certificates(tmp_path, "table", NAMES, NOW)
    assert fingerprint(again.authority) != trusted
    read(again.server).verify_directly_issued_by(read(again.authority))
