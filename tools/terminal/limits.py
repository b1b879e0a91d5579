"""How much a terminal may do: checked once."""

import math
from dataclasses import dataclass

from ...state.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalLimits:
    """Time, output and what a model sees of it."""

    timeout: float = 30.0
    """Seconds one command may run; > 0."""
    max_timeout: float | None = None
    """Seconds a command of a kind that is known to be slow may run, at least `timeout`; None means `timeout`."""
    max_output_size: int = 10 * 2**20
    """Bytes one call may print before it is stopped; > 0."""
    max_tokens: int = 2000
    """Most tokens of one result in a view; > 0."""

    def __post_init__(self) -> None:
        _check_seconds("timeout", self.timeout, 0.0)
        if self.max_timeout is not None:
            _check_seconds("max_timeout", self.max_timeout, self.timeout)
        for name in ("max_output_size", "max_tokens"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
                raise ConfigError(name, value, "must be a whole number above 0")

    @property
    def ceiling_s(self) -> float:
        """Return the longest any command may run, in seconds."""
        return self.timeout if self.max_timeout is None else self.max_timeout


def _check_seconds(name: str, value: float, least: float) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not number or value <= 0 or value < least:
        raise ConfigError(name, value, f"must be a number of seconds, above 0 and at least {least:g}")
