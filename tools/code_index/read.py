"""One file read, decoded and cut into pieces with their search terms."""

import contextlib
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from ..search.text import index_terms, stem
from ..tree import TreeFile
from .choice import MAX_FILE_BYTES, Role, Skipped, role_of
from .chunks import Chunk, cut_code, cut_text
from .languages import language_of
from .parse import Parsed, parse

_SNIFFED = 8192
_LONG_LINE = 5_000
_LONG_PARAGRAPH = 20_000
_MEAN_LINE = 400
_GENERATED = re.compile(
    r"@generated|\b(auto-?)?generated\b.*\bdo not (edit|modify|change)\b", re.IGNORECASE | re.DOTALL
)
_COMMENT = re.compile(r"^\s*(#|//|/\*|\*|<!--|--|;|%)")
_GENERATED_WITHIN = 8
"""A generated file says so in a comment of its first lines."""
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.MULTILINE)
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_NO_CHARSETS = frozenset({"idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"})
"""What Python calls encodings and no file is written in."""
KEYWORDS = frozenset(
    map(
        stem,
        "self cls def return import none true false else elif pass lambda this null void const var let fn".split(),  # noqa: SIM905
    )
)
"""Words of the languages that stand everywhere and tell nothing."""


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A piece with what it is found by."""

    chunk: Chunk
    body: list[str]
    """Search terms of its path, its name and its text."""
    name: list[str]
    """Search terms of its name alone."""
    chars: int
    key: str
    """Of its path, name and text: the same key, the same vector."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What the index keeps of a file."""

    found: TreeFile
    sha256: str
    language: str
    role: Role
    lines: int
    problem: str
    """Why its structure is not, or not wholly, known; empty where all is well."""
    pieces: tuple[ReadPiece, ...]
    parsed: Parsed


def digest(data: bytes) -> str:
    """Return the SHA-256 of a file's bytes, as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def read_bytes(root: Path, path: str, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Return the bytes of a file, one more than `max_bytes` at most.

    Raises:
        OSError: The file vanished, may not be read, or is no plain file.
    """
    with (root / path).open("rb") as file:
        return file.read(max_bytes + 1)


def decode(data: bytes) -> str | None:
    """Return the text of a file, or None if it is binary.

    A byte order mark or a coding line decides; else UTF-8, then GB 18030, then Latin-1, which reads anything.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\x00" in data[:_SNIFFED]:
        return None
    cookie = _COOKIE.search(data[:200])
    named = cookie[1].decode("ascii", "replace").lower().replace("-", "_") if cookie else ""
    for encoding in (named, "utf-8", "gb18030"):
        if encoding and encoding not in _NO_CHARSETS:
            with contextlib.suppress(ValueError, LookupError):
                return data.decode(encoding)
    return data.decode("latin-1")


def split_lines(text: str) -> list[str]:
    """Return the lines of a text without their ends, as editors count them."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def code_terms(text: str) -> list[str]:
    """Return the search terms of source text, without the languages' own words."""
    return [term for term in index_terms(text) if term not in KEYWORDS]


def read_file(root: Path, found: TreeFile, max_bytes: int = MAX_FILE_BYTES) -> ReadFile | Skipped:
    """Return a file ready for the index, or why it has no place there."""
    try:
        data = read_bytes(root, found.path, max_bytes)
    except OSError as error:
        return Skipped(found.path, f"unreadable: {error.strerror}")
    if len(data) > max_bytes:
        return Skipped(found.path, f"larger than {max_bytes:,} bytes")
    text = decode(data)
    if text is None:
        return Skipped(found.path, "binary")
    lines = split_lines(text)
    language = language_of(found.path)
    role = role_of(found.path, language)
    if reason := _machine_made(lines, text, prose=role == "doc"):
        return Skipped(found.path, reason)
    parsed = _structure(text, language)
    chunks = cut_code(lines, parsed.definitions) if language else cut_text(lines)
    path_terms = code_terms(found.path)
    return ReadFile(
        found=found,
        sha256=digest(data),
        language=language,
        role=role,
        lines=len(lines),
        problem=parsed.problem,
        pieces=tuple(_piece(chunk, lines, found.path, path_terms) for chunk in chunks),
        parsed=parsed,
    )


def _structure(text: str, language: str) -> Parsed:
    if not language:
        return Parsed()
    try:
        return parse(text.replace("\r\n", "\n").encode("utf-8", "replace"), language)
    except (ValueError, RecursionError, ImportError, AttributeError) as error:
        # a grammar that is missing or refuses costs this file's structure, not its text
        return Parsed(problem=f"{language} cannot be parsed: {error}")


def _piece(chunk: Chunk, lines: list[str], path: str, path_terms: list[str]) -> ReadPiece:
    name = code_terms(chunk.name.replace(".", " "))
    text = "\n".join(lines[chunk.start - 1 : chunk.end])
    key = hashlib.blake2b("\0".join((path, chunk.name, text)).encode("utf-8", "replace"), digest_size=10).hexdigest()
    return ReadPiece(chunk, path_terms + name + code_terms(text), name, len(text), key)


def _machine_made(lines: list[str], text: str, *, prose: bool) -> str:
    long = _LONG_PARAGRAPH if prose else _LONG_LINE
    if lines and (max(map(len, lines)) > long or (len(text) / len(lines) > _MEAN_LINE and not prose)):
        return "minified, or data in long lines"
    opening = "\n".join(line for line in lines[:_GENERATED_WITHIN] if _COMMENT.match(line))
    return "generated" if _GENERATED.search(opening) else ""
