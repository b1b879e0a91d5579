"""Which file needs which: imports as written, resolved to files, and how central each file is."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

DAMPING = 0.85
_ROUNDS = 30
_INDEX_NAMES = frozenset({"__init__", "index", "mod", "lib"})
"""Files that stand for their folder."""


def resolve(imports: Iterable[tuple[str, str]], paths: Iterable[str]) -> dict[str, set[str]]:
    """Return for each file the files it imports, itself left out.

    Works on names alone, for all languages at once: dots, slashes, colons and backslashes part a module's name; the
    longest ending of a path that equals the name, or a beginning of it, wins; between equals the nearest file does.
    """
    ends = _endings(paths)
    edges: dict[str, set[str]] = {}
    for source, target in imports:
        found = _best(source, _parts(source, target), ends)
        if found and found != source:
            edges.setdefault(source, set()).add(found)
    return edges


def centrality(edges: Mapping[str, Iterable[str]], paths: Sequence[str]) -> dict[str, float]:
    """Return PageRank of the files, summing to 1: a file is central when central files import it.

    Damping 0.85 (Brin and Page 1998); what files without imports hold is spread over all.
    """
    if not paths:
        return {}
    known = set(paths)
    targets = {path: sorted(set(edges.get(path, ())) & known) for path in paths}
    ranks = dict.fromkeys(paths, 1 / len(paths))
    for _ in range(_ROUNDS):
        loose = sum(ranks[path] for path in paths if not targets[path])
        base = (1 - DAMPING + DAMPING * loose) / len(paths)
        fresh = dict.fromkeys(paths, base)
        for path in paths:
            for target in targets[path]:
                fresh[target] += DAMPING * ranks[path] / len(targets[path])
        ranks = fresh
    return ranks


def tests_of(path: str, edges: Mapping[str, Iterable[str]], tests: Iterable[str]) -> list[str]:
    """Return the tests of a source file: those that carry its name first, then those that import it."""
    stem = PurePosixPath(path).stem.lower()
    named, importing = [], []
    for test in sorted(tests):
        words = PurePosixPath(test).stem.lower()
        if words.removeprefix("test_").removesuffix("_test").removesuffix(".test").removesuffix(".spec") == stem:
            named.append(test)
        elif path in edges.get(test, ()):
            importing.append(test)
    return named + importing


def _parts(source: str, target: str) -> list[str]:
    """Return the names an import goes through; a relative one starts from its file's folder."""
    folder = list(PurePosixPath(source).parent.parts)
    if target.startswith(("./", "../")):
        for step in target.split("/"):
            if step == "..":
                folder = folder[:-1]
            elif step != ".":
                folder.append(step)
        return [*folder[:-1], _without_suffix(folder[-1])] if folder else []
    if target.startswith("."):
        ups = len(target) - len(target.lstrip(".")) - 1
        folder = folder[: len(folder) - ups] if ups else folder
        return [*folder, *(part for part in target.lstrip(".").split(".") if part)]
    text = target.removeprefix("crate::").replace("::", "/").replace("\\", "/")
    if "/" not in text and not text.endswith((".h", ".hpp", ".hh", ".php", ".rb")):
        text = text.replace(".", "/")
    parts = [part for part in text.split("/") if part not in ("", "*", "self", "super")]
    return [*parts[:-1], _without_suffix(parts[-1])] if parts else []


def _without_suffix(name: str) -> str:
    return name.rsplit(".", 1)[0] if "." in name[1:] else name


def _endings(paths: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    """Return the files by every ending of their path, without suffix; a folder's index file also by the folder."""
    found: dict[tuple[str, ...], list[str]] = {}
    for path in paths:
        parts = PurePosixPath(path).with_suffix("").parts
        forms = [parts, parts[:-1]] if parts[-1] in _INDEX_NAMES else [parts]
        for form in forms:
            for start in range(len(form)):
                found.setdefault(form[start:], []).append(path)
    return found


def _best(source: str, parts: Sequence[str], ends: Mapping[tuple[str, ...], list[str]]) -> str:
    """Return the file a name means: whole, or without its last part (a name in a module); "" where none fits."""
    folder = PurePosixPath(source).parent.parts
    for length in (len(parts), len(parts) - 1):
        for start in range(length):
            candidates = ends.get(tuple(parts[start:length]), [])
            if candidates and (length - start >= 2 or len(candidates) == 1 or start == 0):
                return min(candidates, key=lambda path: (-_shared(folder, PurePosixPath(path).parent.parts), path))
    return ""


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
