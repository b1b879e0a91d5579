"""Documents added beside the repository: plain files by namespace, searched like code."""

import hashlib
import re
import shutil
from pathlib import Path

from ...state.errors import ConfigError, SearchError
from ..code_index.index import CodeIndex
from ..code_index.read import decode
from ..files import make_folder, write_atomic

_NAME = re.compile(r"[A-Za-z0-9\u3400-\u9fff][\w.\u3400-\u9fff-]{0,63}")
_UNSAFE = re.compile(r"[^\w.\u3400-\u9fff-]+")
MAX_BYTES = 1_000_000


class Documents:
    """Texts in namespaces.

    Args:
        folder: Where they and their index are kept; made with the first document.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index: CodeIndex | None = None

    def close(self) -> None:
        """Close the index."""
        if self._index is not None:
            self._index.close()
            self._index = None

    def index(self) -> CodeIndex | None:
        """Return the index of all documents, or None while there are none."""
        if self._index is None and (self._folder / "texts").is_dir():
            self._index = CodeIndex(self._folder / "texts", self._folder)
            self._index.refresh()
        return self._index

    def add(self, text: str, title: str, namespace: str) -> str:
        """Keep a text and return its name, ``"namespace/title-digest.md"``; the same text twice is kept once.

        Raises:
            ConfigError: The namespace is no plain name, or the text is empty or too large.
            StoreError: It cannot be written.
        """
        folder = make_folder(self._folder / "texts" / checked_namespace(namespace))
        data = text.encode("utf-8", "replace")
        if not text.strip() or len(data) > MAX_BYTES:
            raise ConfigError("text", f"{len(data)} bytes", f"must be 1 to {MAX_BYTES:,} bytes that are not all blank")
        slug = _UNSAFE.sub("-", title).strip("-.")[:60] or "text"
        name = f"{slug}-{hashlib.sha256(data).hexdigest()[:10]}.md"
        write_atomic(folder / name, data)
        path = f"{namespace}/{name}"
        index = self.index()
        if index is not None:
            index.update([path])
        return path

    def namespaces(self) -> dict[str, int]:
        """Return the number of documents by namespace."""
        root = self._folder / "texts"
        if not root.is_dir():
            return {}
        return {each.name: sum(1 for _ in each.glob("*.md")) for each in sorted(root.iterdir()) if each.is_dir()}

    def clear(self, namespace: str) -> int:
        """Delete one namespace and return how many documents it had.

        Raises:
            SearchError: There is no such namespace.
        """
        count = self.namespaces().get(checked_namespace(namespace))
        if count is None:
            known = ", ".join(self.namespaces()) or "none yet"
            raise SearchError(f"there is no namespace {namespace!r}: known are {known}")
        shutil.rmtree(self._folder / "texts" / namespace)
        if self._index is not None:
            self._index.refresh()
        return count


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        SearchError: It is missing, too large, or no text.
    """
    if path.exists() and not path.is_file():  # a pipe may never end
        raise SearchError(f"{path} is no regular file: name a file to copy")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SearchError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise SearchError(f"{path} has more than {MAX_BYTES:,} bytes: add a part of it")
    text = decode(data)
    if text is None:
        raise SearchError(f"{path} is no text file: convert it first")
    return text


def checked_namespace(name: str) -> str:
    """Return the name if it can be a folder's.

    Raises:
        ConfigError: It cannot.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError("namespace", name, "must be 1 to 64 letters, digits, dots, dashes or underscores")
    return name
