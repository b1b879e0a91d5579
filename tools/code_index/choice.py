"""Which files of a repository are worth indexing, what they are for, and why the others are not."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from ..tree import TreeFile

MAX_FILE_BYTES = 1_000_000
"""Larger files are data, generated, or both."""
_FOREIGN_FOLDERS = frozenset(
    "vendor vendored _vendor third_party thirdparty site-packages bower_components dist-packages".split()  # noqa: SIM905
)
_BINARY = frozenset(
    """.png .jpg .jpeg .gif .ico .webp .svg .pdf .zip .gz .bz2 .xz .7z .tar .whl .egg .jar .class .pyc .pyo .so .dll
    .exe .o .a .dylib .woff .woff2 .ttf .eot .otf .mp3 .mp4 .avi .mov .sqlite .db .bin .pkl .npy .npz .onnx .pt
    .parquet .mo .map .lock .po .pot""".split()  # noqa: SIM905
)
_LOCKED = frozenset(["package-lock.json", "pnpm-lock.yaml", "go.sum"])

Role = Literal["source", "test", "example", "doc", "data"]
ROLES: tuple[Role, ...] = ("source", "test", "example", "doc", "data")
_TEST = re.compile(
    r"(^|/)(tests?|testing|specs?|__tests__|t)/|(^|/)(test_[^/]*|tests|conftest)\.\w+$"
    r"|[^/]*(_tests?|_spec|\.test|\.spec|Tests?)\.\w+$"
)
_EXAMPLE = re.compile(
    r"(^|/)(examples?|samples?|demos?|benchmarks?|docs?|migrations)/|(^|/)(setup|noxfile)\.py$|^tasks\.py$"
)
DOC_SUFFIXES = frozenset([".md", ".rst", ".txt", ".adoc", ".org", ".markdown", ".html", ".htm", ".j2", ".jinja"])


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is not indexed."""

    path: str
    reason: str


def choose(files: Iterable[TreeFile], max_bytes: int = MAX_FILE_BYTES) -> tuple[list[TreeFile], list[Skipped]]:
    """Return the files to read, and those passed over by name or size."""
    chosen, skipped = [], []
    for file in files:
        if reason := _unfit(file, max_bytes):
            skipped.append(Skipped(file.path.encode("utf-8", "replace").decode(), reason))
        else:
            chosen.append(file)
    return chosen, skipped


def role_of(path: str, language: str) -> Role:
    """Return what a file is for, judged by its path."""
    if language:
        if _TEST.search(path):
            return "test"
        return "example" if _EXAMPLE.search(path) else "source"
    return "doc" if PurePosixPath(path).suffix.lower() in DOC_SUFFIXES else "data"


def _unfit(file: TreeFile, max_bytes: int) -> str:
    path = PurePosixPath(file.path)
    name = path.name.lower()
    if not _FOREIGN_FOLDERS.isdisjoint(path.parts[:-1]):
        return "vendored"
    if file.suffix in _BINARY or name in _LOCKED or name.endswith((".min.js", ".min.css")) or ".egg-info/" in file.path:
        return "binary, locked or built file"
    if file.size > max_bytes:
        return f"larger than {max_bytes:,} bytes"
    try:
        file.path.encode()
    except UnicodeEncodeError:
        return "name is not UTF-8"
    return ""
