"""Addresses in settings: refused where they stand, before anything is sent anywhere."""

import re
from pathlib import PurePath
from urllib.parse import parse_qs, urlsplit

from .errors import ConfigError

_HOST = re.compile(r"[A-Za-z0-9_.:%-]+|.*[^\x00-\x7f].*")
_KEY = re.compile(r"(?<=//)[^/@]*(?=@)")


def check_url(field: str, value: str, example: str) -> None:
    """Check that a value is the URL of an HTTP server.

    Args:
        field: The setting, for the message.
        value: Checked; a password in it is not repeated.
        example: A value that would be right.

    Raises:
        ConfigError: It is none: no http or https, no host, a port out of range, blanks.
    """
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port  # a port out of range is a ValueError
        good = parts.scheme in ("http", "https") and bool(host and _HOST.fullmatch(host))
    except ValueError:
        good = False
    if not good or re.search(r"[\s\x00-\x1f]", value):
        raise ConfigError(field, _KEY.sub("***", value), f"must be a URL such as {example}")


def check_server(field: str, value: str) -> None:
    """Check that a value is scheme, host and port of a server, and nothing that would be left aside.

    Raises:
        ConfigError: It is not.
    """
    example = "http://localhost:8000"
    check_url(field, value, example)
    parts = urlsplit(value)
    if parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
        rule = f"must be scheme, host and port alone, such as {example}: path, query and password are not used"
        raise ConfigError(field, _KEY.sub("***", value), rule)


def check_embedder(field: str, value: str) -> None:
    """Check that a value names an embedder: ``default``, ``none``, ``chroma``, or a URL with its model.

    Raises:
        ConfigError: It names none.
    """
    if value in ("default", "none", "chroma"):
        return
    example = "https://host/v1?model=NAME"
    if not value.lower().startswith(("http:", "https:")):
        raise ConfigError(field, value, f'must be "default", "none", "chroma" or a URL such as "{example}"')
    check_url(field, value, example)
    if not parse_qs(urlsplit(value).query).get("model"):
        raise ConfigError(field, _KEY.sub("***", value), f"must name a model, for example {example}")


def check_model(field: str, value: str) -> None:
    """Check the address in the name of a model, ``provider:name@URL``, if it has one.

    Raises:
        ConfigError: It is no URL.
    """
    if "://" not in value:
        return
    address = re.search(r"@([A-Za-z+.-]*://.*)", value)
    if address is None:
        raise ConfigError(field, _KEY.sub("***", value), "must be provider:name or provider:name@URL")
    check_url(field, address[1], "http://localhost:8000/v1")


def check_store(field: str, value: str) -> None:
    """Check that a value says where checkpoints are kept.

    Raises:
        ConfigError: It does not.
    """
    path = value.removeprefix("sqlite:///")
    known = value in ("memory", "memory:") or value.startswith(("postgresql://", "postgres://"))
    if not known and ("://" in path or PurePath(path).suffix not in (".sqlite", ".db")):
        rule = "must be memory, a path ending in .sqlite, sqlite:///PATH or postgresql://USER@HOST/DATABASE"
        raise ConfigError(field, _KEY.sub("***", value), rule)
