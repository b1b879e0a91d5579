"""Whether what a rule of the linter found matters where it stands: the code and the project around it decide."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ...facts.file import FileFacts
from ...known.project import Project
from .habits import HABITS
from .holes import HOLES
from .said import Check, Said
from .slips import SLIPS

_SAFE = "seems safe"
"""What ruff says of a shell that gets a constant command."""
_CHECKS: Mapping[str, Check] = MappingProxyType({**SLIPS, **HOLES, **HABITS})


def matters(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> bool:
    """Return whether what a rule found in a source file is worth telling here."""
    said = Said(project, facts, int(item["line"]), int(item["end"]), str(item["message"]))
    judged = _CHECKS.get(str(item["rule"]))
    return _SAFE not in said.message and (judged is None or judged(said))
