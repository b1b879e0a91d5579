"""In what order: wiring, edges, sessions and the ways in."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .build import build_graph
    from .builder import ContextBuilder
    from .maintainer import Maintainer

_HOME = {"ContextBuilder": "builder", "Maintainer": "maintainer", "build_graph": "build"}
"""Public names and the modules they live in: imported when first used, so that `--help` stays fast."""

__all__ = ["ContextBuilder", "Maintainer", "build_graph"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)
