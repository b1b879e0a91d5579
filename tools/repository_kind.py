"""What kind of repository this is: it decides what counts as public, dead, or worth starting at."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Literal

from .manifest import Manifest

RepositoryKind = Literal["web application", "library", "monorepo", "data project", "application"]

_WEB = frozenset(
    {
        *("flask", "django", "fastapi", "starlette", "aiohttp", "tornado", "bottle", "pyramid", "sanic", "quart"),
        *("falcon", "litestar", "express", "koa", "next"),
    }
)
_DATA = frozenset({"pandas", "numpy", "scikit-learn", "torch", "tensorflow", "matplotlib", "jupyter", "polars"})
_STARTS = frozenset(
    {
        *("manage.py", "wsgi.py", "asgi.py", "main.py", "app.py", "server.py", "__main__.py"),
        *("Dockerfile", "Procfile", "docker-compose.yml", "docker-compose.yaml", "compose.yaml", "compose.yml"),
    }
)
"""Files that start something, or say how it is run somewhere."""
_ASIDE = re.compile(r"(^|/)(tests?|docs?|examples?|samples?|demos?|benchmarks?|\.[^/]+)/")
_LIBRARY = re.compile(r"Framework ::|:: Libraries")


def kind_of(paths: Sequence[str], manifest: Manifest, has_factory: bool) -> tuple[RepositoryKind, str]:
    """Return what kind of repository this is, and what shows it."""
    needs = {each.key for each in manifest.requirements}
    starts = sorted({PurePosixPath(path).name for path in paths if not _ASIDE.search(path)} & _STARTS)
    projects = {
        str(PurePosixPath(path).parent)
        for path in manifest.paths
        if PurePosixPath(path).name in ("pyproject.toml", "setup.py", "package.json", "go.mod", "Cargo.toml")
    }
    if len(projects - {"."}) >= 2:
        return "monorepo", f"manifests in {', '.join(sorted(projects - {'.'})[:3])}"
    mark = next((each for each in manifest.classifiers if _LIBRARY.search(each)), "")
    web = sorted(needs & _WEB)
    if web and (has_factory or starts) and not mark:
        return "web application", f"depends on {web[0]} and starts an application"
    notebooks = sum(path.endswith(".ipynb") for path in paths)
    data = sorted(needs & _DATA)
    if notebooks >= 3 or (notebooks and data):
        return "data project", f"{notebooks} notebooks"
    if mark:
        return "library", mark
    if manifest.name and not (manifest.scripts or manifest.private or has_factory or starts):
        return "library", f"published as {manifest.name}, starts nothing"
    shown = "it is started, not imported" if manifest.scripts or starts else "no sign of anything more special"
    return "application", shown
