"""Explore: a ranked map first; sizes, names and times before content."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from ...state.modes import MODES
from ...state.packet import ContextPacket, Need
from ...state.session import Language
from ..import_graph import importers
from ..quality.words import repository_kind
from ..repository_map import RepositoryMap, sketch
from ..sketch_cache import SketchCache
from .look import FirstLook

_SHOWN = 8
_LAYERS = 8
_NAMED = re.compile(r"[\w./-]*[\w-]+\.\w{1,4}\b|[A-Za-z_][\w]{2,}")
_IMPACT = re.compile(r"\b(?:break|breaks|change|changes|changing|depends?|affect\w*|impact|callers?|uses|used by)\b"
                     r"|影响|改动|修改|改了|依赖|谁(?:在)?(?:调用|使用|用)", re.IGNORECASE)  # fmt: skip


class ExploreLook:
    """Looks at one repository's files, imports and guides.

    Args:
        repo: The repository's folder.
        cache: Knows what earlier looks have read; None reads every file.
    """

    def __init__(self, repo: Path, cache: SketchCache | None = None) -> None:
        self._repo, self._cache = repo, cache

    def __call__(self, need: Need, language: Language) -> FirstLook:
        """Return the map as a few packets, and what depends on what the request names."""
        found = sketch(self._repo, self._cache)
        zh = language == "zh"
        packets = [
            _packet("map", _overview(found, zh)),
            _packet("entry_points", _entry_points(found, zh)),
            _packet("structure", _structure(found, zh)),
            _packet("key_files", _key_files(found, zh)),
        ]
        if _IMPACT.search(need.text):
            packets += list(_impact(found, need.text, zh))
        return FirstLook(packets=[packet for packet in packets if packet.content])


def _packet(what: str, content: str, **place: object) -> ContextPacket:
    return ContextPacket(
        content=content,
        relevance_score=MODES["explore"].relevance,
        metadata={"type": "first_look", "source": "probe", "what": what, **place},
    )


def _overview(found: RepositoryMap, zh: bool) -> str:
    languages = ", ".join(f"{name} {count}" for name, count in list(found.languages.items())[:5]) or "-"
    name = found.manifest.name
    if zh:
        head = f"{name or '此仓库'}:{repository_kind(found.kind, 'zh')}({found.files} 个文件,{found.sources} 个源文件,"
        lines = [f"{head}{found.tests} 个测试文件,共 {found.lines} 行代码)。语言:{languages}。"]
        lines += [f"说明文件:{_guides(found)}"] if found.guides else ["没有 README 等说明文件。"]
    else:
        head = f"{name or 'This repository'}: {found.kind} ({found.why_kind}); {found.files} files, {found.sources} of"
        lines = [f"{head} source, {found.tests} of tests, {found.lines} lines of code. Languages: {languages}."]
        lines += [f"Guides: {_guides(found)}"] if found.guides else ["No README or other guide."]
    return "\n".join([*lines, *found.notes])


def _guides(found: RepositoryMap) -> str:
    return ", ".join(
        f"{file.path} ({file.size} B, {datetime.fromtimestamp(file.mtime_ns / 1e9, UTC):%Y-%m-%d})"
        for file in found.guides
    )


def _entry_points(found: RepositoryMap, zh: bool) -> str:
    if not found.entry_points:
        return ""
    rows = []
    for entry in found.entry_points[:_SHOWN]:
        way = found.flow(entry.path)
        what = _ENTRY.get(entry.what, entry.what.replace("command ", "命令 ")) if zh else entry.what
        rows.append(f"- {entry.path}:{entry.line} ({what})" + (f": {' -> '.join(way[1:])}" if len(way) > 1 else ""))
    return "\n".join(["入口和主要流程:" if zh else "Entry points, and where they lead:", *rows])


_ENTRY = {"start": "启动", "starts or makes the application": "启动或创建应用"}


def _structure(found: RepositoryMap, zh: bool) -> str:
    rows = [
        f"- {box.path}/: {box.files} {'个文件' if zh else 'files'}, {box.lines} {'行' if zh else 'lines'}"
        + (f"; {'导入' if zh else 'imports'} {', '.join(box.needs[:5])}" if box.needs else "")
        for box in found.folders[: _SHOWN + 2]
    ]
    parts = ["主要目录:" if zh else "Main folders:", *rows]
    if len(found.layers) > 1:
        parts.append("按导入方向的分层(上层在前):" if zh else "Layers by direction of imports, upper first:")
        parts += [f"{number}. {_some(layer)}" for number, layer in enumerate(found.layers[:_LAYERS], 1)]
    return "\n".join(parts) if rows else ""


def _some(names: tuple[str, ...]) -> str:
    more = f" (+{len(names) - 6})" if len(names) > 6 else ""
    return ", ".join(names[:6]) + more


def _key_files(found: RepositoryMap, zh: bool) -> str:
    if not found.biggest:
        return ""
    biggest = "\n".join(f"- {path}: {count} {'行' if zh else 'lines'}" for path, count in found.biggest[:_SHOWN])
    imported = "\n".join(
        f"- {path}: {'被' if zh else 'by'} {count} {'个文件导入' if zh else 'files'}"
        for path, count in found.most_imported[:_SHOWN]
    )
    parts = [("最大的文件:" if zh else "Biggest files:"), biggest]
    if imported:
        parts += [("被导入最多的文件:" if zh else "Most imported files:"), imported]
    return "\n".join(parts)


def _impact(found: RepositoryMap, request: str, zh: bool) -> Iterator[ContextPacket]:
    """Yield what imports the modules a request names: what breaks if they change."""
    users = importers(found.edges)
    tests = importers(found.test_edges)
    for path in _named_files(found, request)[:3]:
        direct = sorted(users.get(path, ()))
        indirect = sorted({far for near in direct for far in users.get(near, ())} - {*direct, path})
        checked = sorted(tests.get(path, ()))
        names = sorted({edge.name for edge in found.edges if edge.target == path and edge.name})
        rows = [f"如果改动 {path}:" if zh else f"If {path} changes:"]
        rows.append(("- 直接导入它:" if zh else "- imported by: ") + (", ".join(direct) or "-"))
        rows.append(("- 间接依赖:" if zh else "- through those: ") + (", ".join(indirect[:15]) or "-"))
        rows.append(("- 被使用的名称:" if zh else "- names they take: ") + (", ".join(names[:15]) or "-"))
        rows.append(("- 相关测试:" if zh else "- tests that import it: ") + (", ".join(checked) or "-"))
        yield _packet("impact", "\n".join(rows), path=path)


def _named_files(found: RepositoryMap, request: str) -> list[str]:
    """Return the files a request names by path, file name or module name, the most imported first."""
    words = {word.lower() for word in _NAMED.findall(request)}
    weight = dict(found.most_imported)
    paths = dict.fromkeys(edge.target for edge in found.edges)
    hits = [
        path
        for path in paths
        if path.lower() in words
        or path.rpartition("/")[2].lower() in words
        or path.rpartition("/")[2].rpartition(".")[0].lower() in words
    ]
    return sorted(hits, key=lambda path: (-weight.get(path, 0), path))
