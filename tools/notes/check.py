"""What is wrong with a folder of notes, and putting right what can be put right without guessing."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from ...state.errors import StoreError
from ..files import TEMPORARY_SUFFIX, explained, remove, write_atomic
from .index_file import INDEX_NAME, IndexFile
from .markdown import KNOWN, Parsed, rewrite
from .rows import DamagedIndex, is_note_file, stamp_of
from .store import NoteStore

Kind = Literal[
    "index", "orphan file", "ghost row", "outdated row", "broken file", "duplicate id", "dangling link", "left-over"
]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    kind: Kind
    file: str
    """Name in the folder of the notes."""
    note_id: str = ""
    what: str
    repairable: bool
    """Whether `repair` can put it right by itself."""


def check(store: NoteStore) -> list[Finding]:
    """Return what is wrong, by file; changes nothing. Call it first: every other operation heals the index by itself.

    Raises:
        StoreError: The folder cannot be read.
    """
    found = _found(store)
    if found:  # perhaps only what another process is in the middle of
        with suppress(StoreError), store.exclusive():
            return _found(store)
    return found


def _found(store: NoteStore) -> list[Finding]:
    if not store.folder.is_dir():
        return []
    with explained("read", store.folder):
        names = sorted(os.listdir(store.folder))
    files = [name for name in names if is_note_file(name)]
    parsed = {name: found for name in files if (found := store.index.parse(name))}
    findings = [*_index_findings(store, files), *_file_findings(files, parsed), *_link_findings(parsed)]
    findings += [
        Finding(kind="left-over", file=name, what="left by a write that was killed; holds nothing", repairable=True)
        for name in names
        if name.startswith(".") and name.endswith(TEMPORARY_SUFFIX)
    ]
    return findings


def repair(store: NoteStore, findings: Iterable[Finding]) -> list[Finding]:
    """Put right what is repairable and return what still is wrong afterwards.

    The index is rebuilt from the files; a copy of a note gets an id of its own; front matter that was read key by key
    is written so that every YAML reader understands it, with the texts and the unknown keys as they were.

    Raises:
        StoreError: A file cannot be written.
    """
    with store.exclusive():
        for finding in findings:
            path = store.folder / finding.file
            if finding.kind == "left-over":
                remove(path)
            elif finding.kind == "duplicate id":
                _give_own_id(store, finding.file)
            elif finding.kind == "broken file" and finding.repairable:
                _write_block(store, finding.file)
        store.index.repair()
    return check(store)


def _index_findings(store: NoteStore, files: list[str]) -> list[Finding]:
    try:
        _, entries = IndexFile(store.folder / INDEX_NAME).news()
    except DamagedIndex as error:
        if not files:
            return []
        return [Finding(kind="index", file=INDEX_NAME, what=f"cannot be used: {error}", repairable=True)]
    rows = {entry.key: entry for entry in entries}
    by_file = {entry.name.decode(): entry for entry in rows.values()}
    findings = []
    for name in files:
        entry = by_file.get(name)
        if entry is None:
            findings.append(Finding(kind="orphan file", file=name, what="the index does not know it", repairable=True))
        elif int(entry.stamp) != _stamp(store, name):
            what, key = "the file was changed after the index was written", entry.key.decode()
            findings.append(Finding(kind="outdated row", file=name, note_id=key, what=what, repairable=True))
    for name in by_file.keys() - set(files):
        what, key = "the index knows it, the file is gone", by_file[name].key.decode()
        findings.append(Finding(kind="ghost row", file=name, note_id=key, what=what, repairable=True))
    return findings


def _stamp(store: NoteStore, name: str) -> int:
    """Return the stamp of a file, 0 where it is gone meanwhile."""
    with suppress(FileNotFoundError):
        return stamp_of((store.folder / name).lstat())
    return 0


def _file_findings(files: list[str], parsed: Mapping[str, Parsed]) -> list[Finding]:
    findings = []
    owners: dict[str, str] = {}
    for name in sorted(files, key=lambda name: (name not in _own_names(parsed), name)):
        found = parsed.get(name)
        if found is None:
            what = "cannot be read as a note: no permission, a link, or too large"
            findings.append(Finding(kind="broken file", file=name, what=what, repairable=False))
            continue
        for problem in found.problems:
            mended = problem.startswith("the front matter")
            findings.append(
                Finding(kind="broken file", file=name, note_id=found.note.id, what=problem, repairable=mended)
            )
        if (owner := owners.setdefault(found.note.id, name)) != name:
            what = f"has the id of {owner}"
            findings.append(Finding(kind="duplicate id", file=name, note_id=found.note.id, what=what, repairable=True))
    return findings


def _own_names(parsed: Mapping[str, Parsed]) -> set[str]:
    """Return the files that are called by their note's id: of two files with one id, that one is the note."""
    return {name for name, found in parsed.items() if name == f"{found.note.id}.md"}


def _link_findings(parsed: Mapping[str, Parsed]) -> list[Finding]:
    known = {found.note.id for found in parsed.values()}
    return [
        Finding(
            kind="dangling link",
            file=name,
            note_id=found.note.id,
            what=f"{relation} {key}: no such note",
            repairable=False,
        )
        for name, found in parsed.items()
        for relation, keys in found.note.links.items()
        for key in keys
        if key not in known
    ]


def _give_own_id(store: NoteStore, name: str) -> None:
    parsed = store.index.parse(name)
    if parsed is None:
        return
    stem = name.removesuffix(".md")
    key = stem if stem != parsed.note.id and store.index.get(stem) is None else store.free_id(parsed.note.created_at)
    path = store.folder / name
    write_atomic(path, rewrite(path.read_bytes(), replace(parsed.note, id=key), ["id"]))


def _write_block(store: NoteStore, name: str) -> None:
    path = store.folder / name
    with explained("read", path):
        data = path.read_bytes()
    parsed = store.index.parse(name)
    if parsed is None:
        return
    store.keep(parsed.note, data, path)
    write_atomic(path, rewrite(data, parsed.note, [key for key in KNOWN if _says(data, key)]))


def _says(data: bytes, key: str) -> bool:
    return f"{key}:".encode() in data
