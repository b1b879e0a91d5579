"""Exceptions that are made and never raised: what they should stop goes on."""

import builtins
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...facts.file import FileFacts
from ...known.project import Project
from .calls import Calls

_IS_EXCEPTION = re.compile(
    r"(?:Error|Exception)$"
    r"|^(?:Http404|PermissionDenied|NotAuthenticated|AuthenticationFailed|Throttled|BadRequest|Unauthorized|Forbidden"
    r"|NotFound|Conflict|UnprocessableEntity|TooManyRequests|Abort|BadParameter|HTTP(?:NotFound|Forbidden|BadRequest))$"
)
"""By the name alone, where the class is somebody else's."""
_DEEPEST = 4
"""Classes between one and the exception it stands on."""


def never_raised(project: Project) -> Iterator[tuple[FileFacts, Risk]]:
    """Yield the statements that only make an exception; those of Python itself are the linter's to tell."""
    calls = Calls(project)
    for facts in project.of_role("source"):
        for each in facts.python.thrown_away if facts.python else ():
            if hasattr(builtins, each.callee):
                continue
            meant = calls.named(facts, each.callee)
            name = each.callee.rpartition(".")[2]
            ours = any(_is_exception(project, path, name, _DEEPEST) for path, name in meant)
            if ours or (_IS_EXCEPTION.search(name) and not meant):
                yield facts, Risk(each.line, each.line, "never-raised", each.callee)


def _is_exception(project: Project, path: str, name: str, steps: int) -> bool:
    """Return whether a class of a file stands on an exception, through other classes of the same file."""
    python = project.files[path].python
    bases = python.bases.get(name, []) if python else []
    return any(
        bool(_IS_EXCEPTION.search(each)) or (steps > 0 and _is_exception(project, path, each, steps - 1))
        for each in bases
    )
