"""What manifests ask for that is over, contradicts itself, or is not written down; nothing is looked up anywhere."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from .....state.report import Finding
from ....manifest import Requirement
from ...known.project import Project
from .findings import asked_for
from .packages import ends, over

_LOCKS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "pyproject.toml": ("poetry.lock", "uv.lock", "pdm.lock", "pylock.toml", "requirements.txt"),
        "package.json": ("package-lock.json", "yarn.lock", "pnpm-lock.yaml", "npm-shrinkwrap.json", "bun.lock"),
    }
)
_SINCE_WHEN = re.compile(r"requires-python\s*=\s*[\"']([^\"']*)[\"']")
_IMAGE = re.compile(r"^\s*FROM\s+(?:\S*/)?(python|node):(\d+(?:\.\d+)?)", re.MULTILINE | re.IGNORECASE)
_PLAIN_VERSION = re.compile(r"^\s*(?:python-)?v?(\d+(?:\.\d+)?)")
_VERSION_FILES: Mapping[str, str] = MappingProxyType(
    {".python-version": "python", "runtime.txt": "python", ".nvmrc": "node", ".node-version": "node"}
)


def outdated(project: Project) -> Iterator[Finding]:
    """Yield requirements that are over, listed twice, in conflict, without a version, or missing from the lock file."""
    wanted = project.manifest.requirements
    yield from _over(project, wanted)
    yield from _repeated(project, wanted)
    yield from _unpinned(project, wanted)
    yield from _unlocked(project, wanted)
    yield from _languages(project)


def _over(project: Project, wanted: Sequence[Requirement]) -> Iterator[Finding]:
    for each in wanted:
        name = each.key if each.ecosystem == "python" else each.name
        if row := over().get((each.ecosystem, name)):
            since, became, instead = row
            yield asked_for(
                project,
                each,
                severity="low" if each.development else "medium",
                why="end_of_life",
                confidence=0.9,
                reason=became,
                detail=f" ({since})",
                remedy="Remove it." if instead == "nothing" else "Use instead:",
                instead="" if instead == "nothing" else f" {instead}",
            )


def _repeated(project: Project, wanted: Sequence[Requirement]) -> Iterator[Finding]:
    """Yield packages that one file lists twice, and those for which two files want different versions exactly."""
    listed: dict[tuple[str, str, str], Requirement] = {}
    pinned: dict[tuple[str, str], Requirement] = {}
    for each in wanted:
        first = listed.setdefault((each.ecosystem, each.path, each.key), each)
        plain = each.path.endswith(".txt")
        if first is not each and first.line != each.line and plain:
            yield asked_for(
                project, each, severity="low", why="twice", confidence=0.9, reason="listed twice",
                remedy="Keep one of the two lines.", other=first,
            )  # fmt: skip
        exact = re.fullmatch(r"===?\s*([\w.!+-]+)", each.spec)
        if not exact or each.ecosystem != "python":
            continue
        other = pinned.setdefault((each.ecosystem, each.key), each)
        if other is not each and other.spec.lstrip("= ") != each.spec.lstrip("= "):
            yield asked_for(
                project, each, severity="medium", why="conflict", confidence=0.8,
                reason="two versions are asked for",
                detail=f" ({each.spec}; {other.path}: {other.spec})",
                remedy="Use one version in both places.", other=other,
            )  # fmt: skip


def _unpinned(project: Project, wanted: Sequence[Requirement]) -> Iterator[Finding]:
    """Yield one finding for each list of requirements of an application that names packages without any version."""
    if project.kind in ("library", "monorepo"):
        return
    loose: dict[str, list[Requirement]] = defaultdict(list)
    for each in wanted:
        if each.ecosystem == "python" and not each.spec and not each.development and each.path.endswith(".txt"):
            loose[each.path].append(each)
    for path, found in loose.items():
        beside = path.rpartition("/")[0]
        locks = {
            f"{beside}/{name}".lstrip("/") for name in ("poetry.lock", "uv.lock", "Pipfile.lock", "constraints.txt")
        }
        if not locks & project.paths:
            yield asked_for(
                project, found[0], severity="info", why="unpinned", confidence=0.8,
                package=", ".join(each.name for each in found[:6]),
                reason="asked for without a version, and there is no lock file",
                remedy="Write down versions, or keep a lock file.",
            )  # fmt: skip


def _unlocked(project: Project, wanted: Sequence[Requirement]) -> Iterator[Finding]:
    """Yield what a manifest asks for and its lock file does not hold: it was edited after the lock was made."""
    for each in wanted:
        folder, _, name = each.path.rpartition("/")
        paths = [f"{folder}/{lock}".lstrip("/") for lock in _LOCKS.get(name, ()) if lock != "requirements.txt"]
        lock = next((path for path in paths if path in project.paths), "")
        text = project.text_of(lock) if lock else ""
        if text and not re.search(
            rf"(?<![\w-]){re.escape(each.key if each.ecosystem == 'python' else each.name)}(?![\w-])", text
        ):
            yield asked_for(
                project, each, severity="medium", why="lock", confidence=0.8,
                reason="it is not in the lock file", remedy="Make the lock file again.",
            )  # fmt: skip


def _languages(project: Project) -> Iterator[Finding]:
    """Yield versions of Python and Node that get no more corrections: where one is run, and where only old ones are."""
    for path in sorted(project.paths):
        name = path.rpartition("/")[2]
        if name.startswith("Dockerfile") or name.endswith(".Dockerfile"):
            text = project.text_of(path)
            for match in _IMAGE.finditer(text):
                yield from _ended(project, path, text.count("\n", 0, match.start(1)) + 1, match[1].lower(), match[2])
        elif name in _VERSION_FILES and (plain := _PLAIN_VERSION.match(project.text_of(path))):
            yield from _ended(project, path, 1, _VERSION_FILES[name], plain[1])
        elif name == "pyproject.toml" and (asked := _SINCE_WHEN.search(project.text_of(path))):
            below = re.search(r"<\s*3\.(\d+)|(?:==|~=)\s*3\.(\d+)", asked[1])
            if below:
                newest = int(below[1]) - 1 if below[1] else int(below[2])
                line = project.text_of(path).count("\n", 0, asked.start()) + 1
                yield from _ended(project, path, line, "python", f"3.{newest}")


def _ended(project: Project, path: str, line: int, language: str, version: str) -> Iterator[Finding]:
    known = version if language == "python" else version.partition(".")[0]
    last = ends().get((language, known))
    if last is None or project.today is None or project.today <= last:
        return
    place = Requirement(name=f"{language} {known}", path=path, line=line, development=False)
    yield asked_for(
        project, place, severity="medium", why="end_of_life", confidence=0.9,
        reason="no more corrections", detail=f" ({last})", remedy="Move to a version that is kept.",
    )  # fmt: skip
