"""Foreign errors of model calls: which pass by waiting, and what the others mean in our words.

Every provider's package has its own error tree, so errors are known by their names and attributes, never by import.
"""

import math
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from random import uniform

from ...state.errors import ModelError
from ..secrets import mask
from .protocol import ContextTooLong

RETRIED_STATUS = frozenset({408, 429, 500, 502, 503, 504, 529})
"""The only 4xx worth a second try are 408 (time-out) and 429 (rate limit); 529 is Anthropic's "overloaded"."""

_CONNECTION = frozenset(
    {
        "APIConnectionError",
        "APITimeoutError",
        "ConnectionError",
        "TimeoutError",
        "TransportError",
        "ModelConnectionError",
        "ModelTimeoutError",
    }
)
"""Class names, anywhere in an error's ancestry, of connections that failed or broke off."""

_TOO_LONG = (
    "context_length",
    "context length",
    "context window",
    "context size",
    "contextwindow",
    "prompt is too long",
    "input is too long",
    "input tokens exceed",
    "too many tokens",
    "reduce the length",
)


class BrokenStream(ModelError):
    """The provider stopped in the middle of an answer."""


class RanOut(ModelError):
    """The time limit of one model call has passed."""


class Unsupported(ModelError):
    """The endpoint cannot hold answers to a schema."""


def retry_wait_s(error: Exception, attempt: int) -> float | None:
    """Return how long to wait before the next attempt, in seconds, or None when another would be in vain.

    What the provider asks for in `Retry-After` (seconds or a date) is kept to; else the wait doubles from half a
    second, with jitter.
    """
    if isinstance(error, RanOut):
        return None
    if isinstance(error, BrokenStream):
        return _backoff_s(attempt)
    status = _status(error)
    if status is None:
        return _backoff_s(attempt) if _is_connection(error) else None
    if status not in RETRIED_STATUS or _is_used_up(error):
        return None
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    asked = _asked_s(headers)
    return _backoff_s(attempt) if asked is None else asked


def translated(error: Exception, name: str) -> ModelError:
    """Return a foreign error as one of ours: what happened and what to do. Secrets in its text are masked."""
    if isinstance(error, ModelError):
        return error
    status, text = _status(error), mask(" ".join(str(error).split())[:300])
    if _is_too_long(error, status, text):
        return ContextTooLong(f"{name} says the request is too long: {text}")
    if status in (400, 422) and ("response_format" in text or "json_schema" in text):
        return Unsupported(f"{name} cannot hold answers to a schema (HTTP {status}): {text}")
    if status in (401, 403):
        return ModelError(f"{name} refused the key (HTTP {status}): check the API key and its rights")
    if status == 404:
        return ModelError(f"{name} is not known at the endpoint (HTTP 404): check the model's name and the base URL")
    if _is_used_up(error):
        return ModelError(f"{name}: the account's quota is used up (HTTP {status}); raise it, or name another model")
    if status == 429:
        return ModelError(f"{name} limits the rate (HTTP 429) and went on doing so: wait, or name another model")
    if status is not None:
        return ModelError(f"{name} answered HTTP {status}: {text}")
    if _is_connection(error):
        return ModelError(f"{name} cannot be reached ({text}): check the base URL and that the server runs")
    if "No generation" in text or type(error).__name__ == "JSONDecodeError":  # not one event, or one that is none
        return ModelError(f"{name} did not stream an answer: check that the base URL is that of the API (often .../v1)")
    return ModelError(f"{name} failed with {type(error).__name__}: {text}")


def _status(error: Exception) -> int | None:
    """Return the HTTP status, also of an error event inside a stream that began with 200."""
    for value in (getattr(error, "status_code", None), getattr(error, "code", None)):
        if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()):
            return int(value)
    return None


def _is_connection(error: Exception) -> bool:
    return any(kind.__name__ in _CONNECTION for kind in type(error).__mro__)


def _is_used_up(error: Exception) -> bool:
    return _status(error) == 429 and str(getattr(error, "code", "")) == "insufficient_quota"


def _is_too_long(error: Exception, status: int | None, text: str) -> bool:
    if any(kind.__name__ == "ContextOverflowError" for kind in type(error).__mro__):
        return True
    said = f"{getattr(error, 'code', '')} {text}".lower()
    return status in (None, 400, 413, 422) and any(sign in said for sign in _TOO_LONG)


def _asked_s(headers: Mapping[str, str]) -> float | None:
    asked = headers.get("retry-after")
    if asked is None:
        return None
    try:
        seconds = float(asked)
    except ValueError:
        return _until_s(asked, headers.get("date", ""))
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _until_s(then: str, now: str) -> float | None:
    """Return the seconds between two HTTP dates: the server's own clock is the one that counts."""
    try:
        return max((parsedate_to_datetime(then) - parsedate_to_datetime(now)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None


def _backoff_s(attempt: int) -> float:
    return float(0.5 * 2 ** (attempt - 1) * uniform(0.8, 1.2))  # noqa: S311 - jitter, no secret
