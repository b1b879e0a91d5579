"""Clauses of `except` that an earlier clause of the same statement leaves nothing for."""

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain
from types import MappingProxyType

from ...facts.code import Risk
from ...syntax.walking import every_node

_OF_LIBRARIES = {
    "jwt.PyJWTError": "jwt.InvalidTokenError jwt.InvalidKeyError jwt.PyJWKClientError",
    "jwt.InvalidTokenError": "jwt.ExpiredSignatureError jwt.DecodeError jwt.InvalidAudienceError jwt.InvalidIssuerError"
    " jwt.InvalidIssuedAtError jwt.ImmatureSignatureError jwt.InvalidAlgorithmError jwt.MissingRequiredClaimError",
    "jwt.DecodeError": "jwt.InvalidSignatureError",
    "requests.RequestException": "requests.HTTPError requests.ConnectionError requests.Timeout requests.InvalidURL"
    " requests.TooManyRedirects requests.MissingSchema requests.JSONDecodeError requests.ChunkedEncodingError",
    "requests.ConnectionError": "requests.ProxyError requests.SSLError requests.ConnectTimeout",
    "requests.Timeout": "requests.ReadTimeout requests.ConnectTimeout",
    "httpx.HTTPError": "httpx.RequestError httpx.HTTPStatusError",
    "httpx.RequestError": "httpx.TransportError httpx.TooManyRedirects httpx.DecodingError",
    "httpx.TransportError": "httpx.TimeoutException httpx.NetworkError httpx.ProtocolError httpx.ProxyError",
    "httpx.TimeoutException": "httpx.ConnectTimeout httpx.ReadTimeout httpx.WriteTimeout httpx.PoolTimeout",
    "httpx.NetworkError": "httpx.ConnectError httpx.ReadError httpx.WriteError",
    "sqlalchemy.SQLAlchemyError": "sqlalchemy.DBAPIError sqlalchemy.InvalidRequestError sqlalchemy.ArgumentError"
    " sqlalchemy.StaleDataError",
    "sqlalchemy.InvalidRequestError": "sqlalchemy.NoResultFound sqlalchemy.MultipleResultsFound",
    "sqlalchemy.DBAPIError": "sqlalchemy.DatabaseError sqlalchemy.InterfaceError",
    "sqlalchemy.DatabaseError": "sqlalchemy.IntegrityError sqlalchemy.OperationalError sqlalchemy.ProgrammingError"
    " sqlalchemy.DataError",
    "django.DatabaseError": "django.IntegrityError django.OperationalError django.ProgrammingError django.DataError",
    "sqlite3.Error": "sqlite3.DatabaseError sqlite3.InterfaceError",
    "sqlite3.DatabaseError": "sqlite3.IntegrityError sqlite3.OperationalError sqlite3.ProgrammingError"
    " sqlite3.DataError",
    "psycopg2.Error": "psycopg2.DatabaseError psycopg2.InterfaceError",
    "psycopg2.DatabaseError": "psycopg2.IntegrityError psycopg2.OperationalError psycopg2.ProgrammingError",
    "psycopg.Error": "psycopg.DatabaseError psycopg.InterfaceError",
    "psycopg.DatabaseError": "psycopg.IntegrityError psycopg.OperationalError psycopg.ProgrammingError",
    "itsdangerous.BadData": "itsdangerous.BadSignature itsdangerous.BadPayload",
    "itsdangerous.BadSignature": "itsdangerous.BadTimeSignature itsdangerous.SignatureExpired itsdangerous.BadHeader",
    "itsdangerous.BadTimeSignature": "itsdangerous.SignatureExpired",
    "urllib.URLError": "urllib.HTTPError",
    "subprocess.SubprocessError": "subprocess.CalledProcessError subprocess.TimeoutExpired",
    "smtplib.SMTPException": "smtplib.SMTPResponseException smtplib.SMTPRecipientsRefused"
    " smtplib.SMTPServerDisconnected smtplib.SMTPAuthenticationError smtplib.SMTPSenderRefused smtplib.SMTPDataError",
    "OSError": "requests.RequestException urllib.URLError smtplib.SMTPException ssl.SSLError shutil.Error"
    " socket.gaierror socket.herror",
    "TimeoutError": "socket.timeout asyncio.TimeoutError",
    "ValueError": "json.JSONDecodeError requests.JSONDecodeError binascii.Error zoneinfo.InvalidTimeZone"
    " pydantic.ValidationError pydantic_core.ValidationError",
    "KeyError": "zoneinfo.ZoneInfoNotFoundError",
    "ArithmeticError": "decimal.DecimalException",
    "psycopg.IntegrityError": "psycopg.UniqueViolation psycopg.ForeignKeyViolation",
    "smtplib.SMTPResponseException": "smtplib.SMTPAuthenticationError smtplib.SMTPSenderRefused smtplib.SMTPDataError",
    "decimal.DecimalException": "decimal.InvalidOperation decimal.Overflow",
    "configparser.Error": "configparser.ParsingError configparser.NoSectionError configparser.NoOptionError",
}
_ABOVE: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        below: [above for above, many in _OF_LIBRARIES.items() if below in many.split()]
        for below in chain.from_iterable(many.split() for many in _OF_LIBRARIES.values())
    }
)
"""What each of the errors of well-known libraries is one of: the package and the name, whatever lies between."""
_ENDS_WITH = ("Error", "Exception", "DoesNotExist")


def shadowed(tree: ast.Module) -> list[Risk]:
    """Return the clauses after others, with what each catches and what those before it do: `A,B<C,D`.

    Whether one is the other's base may be written in another file: `is_covered` decides.
    """
    named = dict(_imported(tree))
    found: list[Risk] = []
    for node in every_node(tree):
        if not isinstance(node, ast.Try) or len(node.handlers) < 2:
            continue
        before: list[str] = []
        for handler in node.handlers:
            caught = [_full(each, named) for each in _types(handler.type)]
            if before and caught:
                end = handler.end_lineno or handler.lineno
                found.append(Risk(handler.lineno, end, "except", f"{','.join(caught)}<{','.join(before)}"))
            before += caught
    return sorted(found, key=lambda each: each.line)


def is_covered(clause: str, bases: Mapping[str, Sequence[str]], own: Set[str]) -> bool:
    """Return whether all that a clause catches, `A,B<C,D`, is caught before it.

    Args:
        clause: What `shadowed` gave.
        bases: By class of the repository, the last parts of the names of its bases.
        own: Packages and modules of the repository; of others' errors the repository's classes of the same name say
            nothing.
    """
    caught, _, before = clause.partition("<")
    earlier = set(before.split(","))
    strange = {each for each in (*caught.split(","), *earlier) if "." in each and each.partition(".")[0] not in own}
    if any(each not in _ABOVE and each.rpartition(".")[2] in bases for each in strange):
        return False
    earlier |= {last for each in earlier if (last := each.rpartition(".")[2]) in bases and each not in _ABOVE}
    return all(_above(each, bases, ()) & earlier for each in caught.split(","))


def _above(name: str, bases: Mapping[str, Sequence[str]], seen: tuple[str, ...]) -> set[str]:
    """Return an error and all that it is known to be one of."""
    if name in seen:
        return set()
    last = name.rpartition(".")[2]
    own = getattr(builtins, name, None)
    if isinstance(own, type):
        return {each.__name__ for each in own.__mro__}
    above = [*_ABOVE.get(name, ()), *(bases.get(last, ()) if name not in _ABOVE else ())]
    ordinary = ["Exception"] if not above and last.endswith(_ENDS_WITH) else []
    return {name, last}.union(*(_above(each, bases, (*seen, name)) for each in [*above, *ordinary]))


def _types(node: ast.expr | None) -> list[ast.expr]:
    if node is None:
        return []
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _full(node: ast.expr, named: Mapping[str, str]) -> str:
    """Return an error as the package it is from and its own name: `jwt.DecodeError`, `KeyError`."""
    text = ast.unparse(node)
    first, _, last = named.get(text, text).rpartition(".")
    top = first.partition(".")[0]
    return f"{named.get(top, top).partition('.')[0]}.{last}" if first else last


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in every_node(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((each.asname or each.name, f"{node.module}.{each.name}") for each in node.names)
        elif isinstance(node, ast.Import):
            yield from ((each.asname, each.name) for each in node.names if each.asname)
