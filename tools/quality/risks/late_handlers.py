"""Handlers of errors that never run: a clause before them catches a class that theirs is a kind of."""

import ast
import builtins
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ..facts import Risk

_BASES: Mapping[str, str] = MappingProxyType(
    {
        "JSONDecodeError": "ValueError",
        "ExpiredSignatureError": "InvalidTokenError",
        "InvalidSignatureError": "DecodeError",
        "DecodeError": "InvalidTokenError",
        "InvalidAudienceError": "InvalidTokenError",
        "InvalidIssuerError": "InvalidTokenError",
        "ImmatureSignatureError": "InvalidTokenError",
        "InvalidTokenError": "PyJWTError",
        "requests.Timeout": "requests.RequestException",
        "requests.ConnectionError": "requests.RequestException",
        "requests.HTTPError": "requests.RequestException",
        "requests.exceptions.Timeout": "requests.exceptions.RequestException",
        "requests.exceptions.ConnectionError": "requests.exceptions.RequestException",
        "requests.exceptions.HTTPError": "requests.exceptions.RequestException",
        "httpx.TimeoutException": "httpx.TransportError",
        "httpx.ConnectError": "httpx.TransportError",
        "httpx.TransportError": "httpx.RequestError",
        "httpx.RequestError": "httpx.HTTPError",
        "httpx.HTTPStatusError": "httpx.HTTPError",
        "TimeoutExpired": "SubprocessError",
        "CalledProcessError": "SubprocessError",
        "urllib.error.HTTPError": "urllib.error.URLError",
        "urllib.error.URLError": "OSError",
        "HTTPError": "URLError",
        "SMTPException": "OSError",
        "SMTPRecipientsRefused": "SMTPResponseException",
        "SMTPAuthenticationError": "SMTPException",
        "sqlite3.IntegrityError": "sqlite3.DatabaseError",
        "sqlite3.OperationalError": "sqlite3.DatabaseError",
        "sqlite3.DatabaseError": "sqlite3.Error",
        "IntegrityError": "DatabaseError",
        "OperationalError": "DatabaseError",
        "DatabaseError": "SQLAlchemyError",
        "NoResultFound": "SQLAlchemyError",
        "StaleDataError": "SQLAlchemyError",
        "psycopg.errors.UniqueViolation": "psycopg.IntegrityError",
        "InvalidOperation": "ArithmeticError",
        "BadZipFile": "Exception",
        "socket.timeout": "OSError",
        "socket.gaierror": "OSError",
        "ssl.SSLError": "OSError",
        "ConnectTimeout": "Timeout",
        "ReadTimeout": "Timeout",
    }
)
"""Classes of well-known libraries with what they are a kind of."""
_MOST_STEPS = 8


def late_handlers(tree: ast.Module) -> Iterator[Risk]:
    """Yield the clauses that an earlier one of the same `try` makes unreachable."""
    own = {
        node.name: [ast.unparse(each) for each in node.bases]
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Try) or len(node.handlers) < 2:
            continue
        before: set[str] = set()
        for handler in node.handlers:
            named = _named(handler.type)
            if named and all(before & _kinds(each, own) for each in named):
                yield Risk(handler.lineno, handler.body[-1].end_lineno or handler.lineno, "caught-before", named[0])
            before |= set(named) or {"BaseException"}


def _named(node: ast.expr | None) -> list[str]:
    if isinstance(node, ast.Tuple):
        return [ast.unparse(each) for each in node.elts]
    return [ast.unparse(node)] if node is not None else []


def _kinds(name: str, own: Mapping[str, list[str]]) -> set[str]:
    """Return what an error is a kind of, itself among them, by its full name and by the last part of it."""
    found: set[str] = set()
    waiting = [name]
    for _ in range(_MOST_STEPS):
        fresh = [each for each in waiting if each not in found]
        found |= set(fresh)
        waiting = []
        for each in fresh:
            builtin = getattr(builtins, each, None)
            if isinstance(builtin, type) and issubclass(builtin, BaseException) and each not in own:
                found |= {kind.__name__ for kind in builtin.__mro__ if kind is not object}
            last = each.rpartition(".")[2]
            holder = each.rpartition(".")[0]
            bases = own.get(each) or [base for base in (_BASES.get(each) or _BASES.get(last),) if base]
            waiting += [
                f"{holder}.{base}" for base in bases if holder and "." not in base and not hasattr(builtins, base)
            ]
            waiting += bases
    return found
