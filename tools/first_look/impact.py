"""What a request asks the impact of, and the answer as lines: who uses it where, what depends on that, which tests."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

from ..focus import MOST_CHARS
from ..impact import Impact, Use
from ..python_names import definitions

_PATH = re.compile(r"[\w./-]*[\w-]+\.\w{1,4}\b", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_SHORTEST = 3
_FILES, _LINES, _FURTHER = 12, 6, 12
"""How many are told of one impact: files that use it, lines of each, files beyond them."""
_NO_NAMES = frozenset(
    """affect affects and are break breaks call callers calls change changed changes changing class code depend depends
    does else file from function happens how impact method module move name remove rename the this touch use used
    users uses what when where which who will with would""".split()  # noqa: SIM905 - a paragraph is easier to read
)


def named_in(request: str, paths: Sequence[str], read: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return the files a request names, each with `""`, and the names defined in files, each with its file.

    Paths and file names are taken at their word; else names that can only be code (`place_order`, `shipping.quote`,
    `CartView`), then ordinary words that are the name of a module or package, then those that are defined somewhere.
    """
    request = request[:MOST_CHARS]
    by_path = [path for word in _PATH.findall(request) for path in paths if path == word or path.endswith(f"/{word}")]
    if by_path:
        return [(path, "") for path in dict.fromkeys(by_path)]
    words = [word for word in dict.fromkeys(_WORD.findall(request)) if len(word) >= _SHORTEST]
    words = [word for word in words if word.lower() not in _NO_NAMES]
    marked = [word for word in words if "_" in word.strip("_") or "." in word or re.search(r"[a-z][A-Z]", word)]
    for some in (marked, words):
        found = [hit for word in some for hit in _modules(word, paths) or _symbols(word, paths, read)]
        if found:
            return list(dict.fromkeys(found))
    return []


def _modules(word: str, paths: Iterable[str]) -> list[tuple[str, str]]:
    """Return the modules of this name, `pricing` or `services.pricing`, and else the package."""
    ending = word.lower().replace(".", "/")
    stems = [(path, path.lower().rpartition(".")[0]) for path in paths]
    hits = [path for path, stem in stems if stem == ending or stem.endswith(f"/{ending}")]
    packages = [path for path, stem in stems if f"/{stem}".endswith(f"/{ending}/__init__")]
    return [(path, "") for path in hits or packages]


def _symbols(word: str, paths: Sequence[str], read: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return where a name is defined; one with a module or class before it only there, as far as that is known."""
    before, _, name = word.rpartition(".")
    found = definitions(name, paths, read)
    if not before:
        return [(path, name) for path in found]
    modules = {path for path, _ in _modules(before, found)}
    inside = [path for path in found if path in modules] or definitions(before.rpartition(".")[2], found, read)
    return [(path, name) for path in inside or found]


def told(found: Impact, starts: Collection[str], *, zh: bool) -> str:
    """Return an impact as lines.

    Args:
        found: The impact.
        starts: Where the program starts: those that are reached are named.
        zh: Chinese, else English.
    """
    what = f"{found.path} {found.symbol}".rstrip()
    rows = [f"如果改动 {what}:" if zh else f"If {what} changes:"]
    files = _by_file(found.uses)
    if not files:
        rows.append("- 没有发现使用它的源文件" if zh else "- no source file is seen to use it")
    else:
        rows.append(f"- {len(files)} 个源文件使用它:" if zh else f"- used in {_count(len(files), 'source file')}:")
        rows += [f"  - {_lines(path, uses)}" for path, uses in list(files.items())[:_FILES]]
        if len(files) > _FILES:
            rows.append(f"  - (另有 {len(files) - _FILES} 个)" if zh else f"  - ({len(files) - _FILES} more)")
    if found.further:
        rows.append(f"- 间接依赖:{_some(found.further)}" if zh else f"- through those: {_some(found.further)}")
    if reached := [path for path in (*files, *found.further) if path in starts]:
        names = ", ".join(dict.fromkeys(reached))
        rows.append(f"- 影响到的入口:{names}" if zh else f"- entry points it reaches: {names}")
    if found.by_text:
        rows.append(
            "- 此语言只查找按名称导入它的行;测试未查"
            if zh
            else "- in this language only lines that import its name are looked for; tests are not"
        )
        return "\n".join(rows)
    return "\n".join([*rows, *_tests(found, zh)])


def _tests(found: Impact, zh: bool) -> list[str]:
    tested, far = _some(list(_by_file(found.tests))), _some(found.far_tests)
    rows = [f"- 直接测试:{tested}" if zh else f"- tests that use it: {tested}"] if tested else []
    if far:
        rows.append(f"- 间接测试:{far}" if zh else f"- tests that only reach it: {far}")
    none = "- 没有测试导入它:先补测试再改" if zh else "- no test imports it: write one before the change"
    return rows or [none]


def _some(paths: Sequence[str]) -> str:
    more = len(paths) - _FURTHER
    return ", ".join(paths[:_FURTHER]) + (f" (+{more})" if more > 0 else "")


def _by_file(uses: Iterable[Use]) -> dict[str, list[Use]]:
    found: dict[str, list[Use]] = defaultdict(list)
    for use in uses:
        found[use.path].append(use)
    return dict(found)


def _lines(path: str, uses: Sequence[Use]) -> str:
    """Return `path:3, 12 (price, Cart)`."""
    numbers = list(dict.fromkeys(str(use.line) for use in uses))
    more = f", +{len(numbers) - _LINES}" if len(numbers) > _LINES else ""
    names = sorted({use.name for use in uses if use.name})
    return f"{path}:{', '.join(numbers[:_LINES])}{more}" + (f" ({', '.join(names[:8])})" if names else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
