"""The files of a repository, as its own ignore rules leave them; links and special files are never followed."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from pathspec import GitIgnoreSpec

MOST_FILES = 100_000
"""Where a walk stops, so that a home folder given by mistake does not hang it."""

NEVER = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".maintainer",
        ".venv",
        "venv",
        "node_modules",
        "__pycache__",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".tox",
        ".nox",
        ".eggs",
        ".idea",
        ".vscode",
    }
)
"""Folders of tools, not of the project, whatever the ignore rules say."""


@dataclass(frozen=True, slots=True)
class TreeFile:
    """One regular file."""

    path: str
    """Relative to the repository, with forward slashes; bytes that are no UTF-8 as surrogates."""
    size: int
    """In bytes."""
    mtime_ns: int

    @property
    def suffix(self) -> str:
        """Return the ending in lower case, with its dot."""
        return PurePosixPath(self.path).suffix.lower()


@dataclass(slots=True)
class Tree:
    """What a walk found, in the order of paths."""

    files: list[TreeFile] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    """Folders that could not be listed."""
    complete: bool = True
    """False when the walk stopped at its limit."""


Rules = tuple[tuple[str, GitIgnoreSpec], ...]
"""Folder with a trailing slash (`""` for the root) and the rules of its `.gitignore`, outermost first."""


def walk(repo: Path, *, most_files: int = MOST_FILES) -> Tree:
    """Return the repository's files, without what `.gitignore` files and `NEVER` leave out."""
    tree = Tree()
    waiting: list[tuple[str, Rules]] = [("", ())]
    while waiting:
        folder, rules = waiting.pop()
        try:
            entries = list(os.scandir(repo / folder))
        except OSError:
            tree.unreadable.append(folder or ".")
            continue
        names = {entry.name for entry in entries if entry.is_file(follow_symlinks=False)}
        if folder and "pyvenv.cfg" in names:  # a virtual environment under another name
            continue
        if ".gitignore" in names:
            rules = (*rules, (folder, _rules(repo / folder / ".gitignore")))
        for entry in entries:
            path = folder + entry.name
            if entry.name in names:
                if not _ignored(path, rules):
                    _add(tree, path, entry)
            elif entry.is_dir(follow_symlinks=False) and entry.name not in NEVER and not _ignored(path + "/", rules):
                waiting.append((path + "/", rules))
        if len(tree.files) > most_files:
            tree.complete = False
            break
    tree.files = sorted(tree.files, key=lambda file: file.path)[:most_files]
    return tree


def _add(tree: Tree, path: str, entry: "os.DirEntry[str]") -> None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:  # gone between listing and looking
        return
    tree.files.append(TreeFile(path, status.st_size, status.st_mtime_ns))


def _rules(path: Path) -> GitIgnoreSpec:
    """Return the rules of one file; lines git would not understand either are passed over."""
    try:
        lines = path.read_text("utf-8", "replace").splitlines() if path.is_file() else []  # a pipe may never end
    except OSError:
        lines = []
    understood = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except (ValueError, re.error):
            continue
        understood.append(line)
    return GitIgnoreSpec.from_lines(understood)


def _ignored(path: str, rules: Rules) -> bool:
    """Return what the innermost rule that speaks of the path says."""
    for folder, spec in reversed(rules):
        verdict = spec.check_file(path.removeprefix(folder)).include
        if verdict is not None:
            return verdict
    return False
