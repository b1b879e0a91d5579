"""The index kept in step with the files: only what changed is read again."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..clock import Clock
from ..search.text import tokenize
from ..tree import TreeFile, walk
from .choice import Skipped, choose, role_of
from .languages import language_of
from .read import ReadFile, digest, read_bytes, read_file
from .rows import FileRow, Passed
from .store import CodeStore

_BATCH = 200
"""Files per transaction: what a killed process has to read again."""
_FIRST_BATCH = 50
"""... and of the first one, so that there is something to find soon."""
MAX_FILES = 200_000
_RACY_NS = 2_000_000_000
"""A file changed this shortly before it was read may change again within the same tick of the clock."""

Progress = Callable[[int, int], None]
"""Called with (files done, files to do)."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did."""

    indexed: int = 0
    """Files read because they are new or their content changed."""
    removed: int = 0
    unchanged: int = 0
    commits: int = 0
    """Past commits that were new."""
    history_problem: str = ""
    """Why past commits could not be read."""
    skipped: tuple[Skipped, ...] = ()
    """Every file and folder that was passed over, with the reason."""
    problems: dict[str, str] = field(default_factory=dict)
    """Files indexed as text, or with gaps, by path."""


def reading_order(path: str, wanted: Mapping[str, float]) -> tuple[float, bool, str]:
    """Return what files are sorted by before they are read: those that a question names, sources before the rest."""
    is_source = role_of(path, language_of(path)) == "source"
    named = sum(wanted.get(term, 0.0) for term in set(tokenize(path))) if wanted else 0.0
    return -named * (1.0 if is_source else 0.5), not is_source, path


class Keeper:
    """Brings a store up to date with a folder.

    Args:
        store: Written.
        root: Read.
        max_bytes: Larger files are passed over.
        clock: Tells which files are so new that they may change again unseen.
    """

    def __init__(self, store: CodeStore, root: Path, max_bytes: int, clock: Clock) -> None:
        self._store, self._root, self._max_bytes, self._clock = store, root, max_bytes, clock

    def of(self, store: CodeStore) -> "Keeper":
        """Return a keeper of the same folder for another store."""
        return Keeper(store, self._root, self._max_bytes, self._clock)

    def refresh(self, progress: Progress | None = None, wanted: Mapping[str, float] | None = None) -> Refreshed:
        """Bring the store up to the files as they are now, and say what was done.

        Args:
            progress: Called with (files done, files to do).
            wanted: Search terms with weights: files whose paths hold them are read first, so that the question that
                finds the index empty is answered from the files most likely to matter.
        """
        known = {file.path: file for file in self._store.files()}
        passed = self._store.passed()
        tree = walk(self._root, most_files=MAX_FILES)
        found, skipped = choose(tree.files, self._max_bytes)
        skipped += [Skipped(f"{folder.rstrip('/')}/", "unreadable folder") for folder in tree.unreadable]
        if not tree.complete:
            skipped.append(Skipped("./", f"the walk stopped after {MAX_FILES:,} files"))
        changed = []
        for entry in found:
            before = known.get(entry.path) or passed.get(entry.path)
            if before is None or (before.size, before.mtime_ns) != (entry.size, entry.mtime_ns):
                changed.append(entry)
            elif isinstance(before, Passed):
                skipped.append(Skipped(entry.path, before.reason))
        gone = (known.keys() | passed.keys()) - {entry.path for entry in found}
        self._store.remove(gone)
        changed.sort(key=lambda entry: reading_order(entry.path, wanted or {}))
        indexed, unfit = self._read(changed, known, progress)
        return Refreshed(
            indexed=indexed,
            removed=len(gone & known.keys()),
            unchanged=len(found) - indexed - len(unfit),
            skipped=tuple(skipped + unfit),
            problems={file.path: file.problem for file in self._store.files() if file.problem},
        )

    def update(self, paths: Iterable[str]) -> int:
        """Bring single files up to date, without a look at the others, and return how many changed."""
        known: dict[str, FileRow] = {}
        found = []
        for path in paths:
            row = self._store.file(path)
            if row is not None:
                known[path] = row
            try:
                stat = (self._root / path).lstat()
                found.append(TreeFile(path, stat.st_size, stat.st_mtime_ns))
            except OSError:
                self._store.remove([path])
        return self._read(found, known, None)[0]

    def _read(
        self, changed: list[TreeFile], known: Mapping[str, FileRow], progress: Progress | None
    ) -> tuple[int, list[Skipped]]:
        """Read files into the store; return how many were indexed, and those found unfit."""
        indexed, batch, same, unfit = 0, [], [], []
        for number, entry in enumerate(changed, 1):
            kept = replace(entry, mtime_ns=self._settled(entry))
            row = known.get(entry.path)
            if row is not None and self._same_content(entry, row):
                same.append(kept)
            else:
                result = read_file(self._root, kept, self._max_bytes)
                if isinstance(result, ReadFile):
                    batch.append(result)
                else:
                    unfit.append(result)
                    self._store.pass_over(kept, result.reason)
            if len(batch) == (_BATCH if indexed else _FIRST_BATCH):
                self._store.replace(batch)
                indexed += len(batch)
                batch = []
            if progress is not None:
                progress(number, len(changed))
        self._store.replace(batch)
        self._store.touch(same)
        return indexed + len(batch), unfit

    def _same_content(self, entry: TreeFile, row: FileRow) -> bool:
        try:
            return entry.size == row.size and digest(read_bytes(self._root, entry.path)) == row.sha256
        except OSError:
            return False

    def _settled(self, entry: TreeFile) -> int:
        """Return the time to keep for a file: 0, which fits no file, if it may still change unseen."""
        now_ns = int(self._clock.now().timestamp() * 1e9)
        return 0 if now_ns - entry.mtime_ns < _RACY_NS else entry.mtime_ns
