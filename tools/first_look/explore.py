"""Explore: a ranked map first; sizes, names and times before content."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from ...state.modes import MODES
from ...state.packet import ContextPacket, Need
from ...state.session import Language
from ..impact import Imports, impact_by_text
from ..quality.words import repository_kind
from ..repository_map import RepositoryMap, sketch, text_of
from ..sketch_cache import SketchCache
from .impact import named_in, told
from .look import FirstLook

_SHOWN = 8
_LAYERS = 8
MOST_NAMED = 3
"""Files and names whose users are told."""
_IMPACT = re.compile(
    r"\b(?:breaks?|chang(?:e|es|ing)|depends?|affect\w*|impact|call(?:s|ers?|ed)?|uses?|used by|touch\w*)\b"
    r"|影响|改动|修改|改了|依赖|谁(?:在)?(?:调用|使用|用|引用)|被(?:谁|哪)|波及|牵连",
    re.IGNORECASE,
)


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
            _packet("key_files", _key_files(found, zh), central=next((path for path, _ in found.most_imported), "")),
        ]
        if _IMPACT.search(need.text):
            packets += list(_impact(found, self._repo, need.text, zh))
        return FirstLook(packets=[packet for packet in packets if packet.content])


def _packet(what: str, content: str, **place: object) -> ContextPacket:
    return ContextPacket(
        content=content,
        relevance_score=MODES["explore"].relevance,
        metadata={"type": "first_look", "source": "probe", "what": what, **place},
    )


def _overview(found: RepositoryMap, zh: bool) -> str:
    most, *others = list(found.languages.items())[:5] or [("-", 0)]
    languages = ", ".join([f"{most[0]} ({_files(most[1], zh)})", *(f"{name} ({count})" for name, count in others)])
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
    rows = []
    for box in found.folders[: _SHOWN + 2]:
        size = f"{_files(box.files, zh)}, {box.lines} {'行' if zh else 'lines'}"
        needs = f"; {'导入' if zh else 'imports'} {', '.join(box.needs[:5])}" if box.needs else ""
        rows.append(f"- {box.path}/: {size}{needs}")
    parts = ["主要目录:" if zh else "Main folders:", *rows]
    if len(found.layers) > 1:
        parts.append("按导入方向的分层(上层在前):" if zh else "Layers by direction of imports, upper first:")
        parts += [f"{number}. {_some(layer)}" for number, layer in enumerate(found.layers[:_LAYERS], 1)]
    return "\n".join(parts) if rows else ""


def _files(count: int, zh: bool) -> str:
    return f"{count} 个文件" if zh else f"{count} file" + ("s" if count != 1 else "")


def _some(names: tuple[str, ...]) -> str:
    more = f" (+{len(names) - 6})" if len(names) > 6 else ""
    return ", ".join(names[:6]) + more


def _key_files(found: RepositoryMap, zh: bool) -> str:
    if not found.biggest:
        return ""
    biggest = "\n".join(f"- {path}: {count} {'行' if zh else 'lines'}" for path, count in found.biggest[:_SHOWN])
    imported = "\n".join(
        f"- {path}: {f'被 {_files(count, zh)}导入' if zh else f'by {_files(count, zh)}'}"
        for path, count in found.most_imported[:_SHOWN]
    )
    parts = [("最大的文件:" if zh else "Biggest files:"), biggest]
    if imported:
        parts += [("被导入最多的文件:" if zh else "Most imported files:"), imported]
    return "\n".join(parts)


def _impact(found: RepositoryMap, repo: Path, request: str, zh: bool) -> Iterator[ContextPacket]:
    """Yield, for each file or name a request speaks of, who notices when it changes."""
    read = cache(lambda path: text_of(repo, path))
    imports = Imports(found.edges, found.test_edges, read)
    starts = {entry.path for entry in found.entry_points}
    for path, symbol in named_in(request, found.paths, read)[:MOST_NAMED]:
        followed = path.endswith((".py", ".pyi"))
        found_out = imports.impact(path, symbol) if followed else impact_by_text(path, found.paths, read)
        yield _packet("impact", told(found_out, starts, zh=zh), path=path, symbol=symbol)
