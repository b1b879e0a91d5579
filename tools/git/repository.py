"""The history of one repository."""

import re
import tempfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from ...state.errors import RepositoryError
from ..processes import NOT_STARTED, Finished, run
from .output import BlamedLine, Change, Commit, blamed, changes, commits, fields, names_today
from .safety import ENVIRONMENT, git_dir, make_shadow

_HASH = re.compile(r"[0-9a-fA-F]{4,64}")


class Git:
    """The history of one repository. Without git, or without history, `available` is False and `why` says so."""

    def __init__(self, repo: Path, *, timeout_s: float = 30.0, max_bytes: int = 64 * 2**20) -> None:
        self._repo = repo.resolve()
        self._timeout_s, self._max_bytes = timeout_s, max_bytes
        self._git_dir, self.why = git_dir(self._repo)
        if self._git_dir is not None:
            probe = self._ask("rev-parse", "--git-dir")
            if not probe.ok:
                self._git_dir, self.why = None, _reason(probe)

    @property
    def available(self) -> bool:
        """Return whether there is a history to read; `why` holds the reason where there is none."""
        return self._git_dir is not None

    def head(self) -> str:
        """Return the full hash of HEAD, or `""` before the first commit or without git."""
        return self._ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}").text.strip()

    def branch(self) -> str:
        """Return the name of the checked-out branch, or `""` for a detached HEAD or without git."""
        return self._ask("symbolic-ref", "--quiet", "--short", "HEAD").text.strip()

    def log(self, limit: int = 100, since: str = "") -> list[Commit]:
        """Return the newest commits of HEAD, newest first; none without history.

        In a partial clone, where old texts are missing, a file that was renamed and edited counts as deleted and added.

        Args:
            limit: How many at most.
            since: A commit; only what came after it.

        Raises:
            RepositoryError: `since` is no commit of this repository, or git failed.
        """
        head = self.head()
        if not head:
            return []
        span = f"{self._commit(since)}..{head}" if since else head
        argv = ["log", "-z", f"--max-count={max(0, limit)}", "--name-status", "--root", *_PLAIN]
        argv += ["--no-show-signature", "--encoding=UTF-8", "--format=%H%x00%ct%x00%an%x00%B", span, "--"]
        return list(commits(self._with_renames(argv)))

    def changed_since(self, sha: str) -> list[Change]:
        """Return what differs between a commit and HEAD, by path; edits not yet committed are not seen.

        Raises:
            RepositoryError: `sha` is no commit of this repository (history rewritten, or a shallow clone).
        """
        argv = ["diff-tree", "-r", "-z", "--name-status", *_PLAIN, self._commit(sha), self._commit("HEAD"), "--"]
        return list(changes(fields(self._with_renames(argv))))

    def files_since(self, sha: str) -> list[str] | None:
        """Return the paths that differ between a commit and HEAD; None where the commit is gone and git cannot tell.

        A history that was rewritten, cloned anew or taken away is ordinary: a session that remembers it goes on.
        """
        try:
            return [change.path for change in self.changed_since(sha)]
        except RepositoryError:
            return None

    def hashes(self) -> dict[str, str]:
        """Return the hash of each regular file as committed at HEAD, by path; none without history."""
        head = self.head()
        done = self._read("ls-tree", "-r", "-z", head) if head else None
        found: dict[str, str] = {}
        for row in fields(done.stdout) if done is not None and done.ok else ():
            about, _, path = row.partition("\t")
            if about.startswith("100"):  # neither links nor submodules
                found[path] = about.rpartition(" ")[2]
        return found

    def renames(self, since: str = "") -> dict[str, str]:
        """Return old path to the path it has at HEAD, over all commits after `since` (default: the last 1,000).

        Raises:
            RepositoryError: `since` is no commit of this repository.
        """
        return names_today(self.log(limit=1000, since=since))

    def blame(self, path: str, lines: tuple[int, int] | None = None) -> list[BlamedLine]:
        """Return who last changed each line of a file as committed at HEAD.

        Args:
            path: Relative to the repository, with forward slashes.
            lines: First and last line, 1-based and included; None for all.

        Returns:
            One entry a line; empty when HEAD has no such file or line.
        """
        span = ["-L", f"{lines[0]},{lines[1]}"] if lines else []
        head = self.head()
        done = self._read("blame", "--line-porcelain", *span, head, "--", path)
        return list(blamed(done.stdout)) if head and done.ok else []

    def show_file(self, sha: str, path: str) -> str | None:
        """Return a file's text as of a commit (bytes that are no UTF-8 become U+FFFD), or None if it had none.

        Raises:
            RepositoryError: `sha` is no commit of this repository.
        """
        done = self._read("cat-file", "blob", f"{self._commit(sha)}:{path}")
        return done.text if done.ok else None

    def _commit(self, revision: str) -> str:
        """Return the full hash of a commit given by hash or as HEAD; nothing else gets near git's own syntax."""
        sha = ""
        if revision == "HEAD":
            sha = self.head()
        elif _HASH.fullmatch(revision):
            sha = self._read("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").text.strip()
        if not sha:
            raise RepositoryError(f"{revision!r} is no commit of {self._repo}: give a hash that `git log` shows")
        return sha

    def _with_renames(self, argv: list[str]) -> bytes:
        """Run a comparison of trees that follows renames, with no look at texts where texts are missing."""
        for renames in ("-M", "-M100%"):
            done = self._read(argv[0], renames, *argv[1:])
            if done.ok:
                return done.stdout
        raise RepositoryError(f"git {argv[0]} failed in {self._repo}: {_reason(done)}")

    def _ask(self, *args: str) -> Finished:
        """Run git in the repository's own folder: for its refs, nothing else."""
        if self._git_dir is None:
            return Finished(returncode=NOT_STARTED, stdout=b"", stderr=self.why.encode("utf-8", "replace"))
        return self._run(self._git_dir, ENVIRONMENT, *args)

    def _read(self, *args: str) -> Finished:
        """Run git in our own folder, on the repository's objects."""
        if self._git_dir is None:
            return self._ask()
        with tempfile.TemporaryDirectory(prefix="maintainer-git-") as folder:
            make_shadow(Path(folder), self._object_format)
            return self._run(Path(folder), {**ENVIRONMENT, **self._borrowed}, *args)

    @cached_property
    def _object_format(self) -> str:
        return self._ask("rev-parse", "--show-object-format").text.strip()

    @cached_property
    def _borrowed(self) -> dict[str, str]:
        """Return what of the repository git gets to see: its objects, and where a shallow clone ends."""
        paths = self._ask("rev-parse", "--git-path", "objects", "--git-path", "shallow").text.splitlines()
        objects, shallow = (str(self._repo / path) for path in paths)
        return {"GIT_OBJECT_DIRECTORY": objects, "GIT_SHALLOW_FILE": shallow}

    def _run(self, folder: Path, env: Mapping[str, str], *args: str) -> Finished:
        argv = ["git", "--no-pager", f"--git-dir={folder}", "--literal-pathspecs", *args]
        return run(argv, cwd=self._repo, env=env, timeout_s=self._timeout_s, max_bytes=self._max_bytes)


_PLAIN = ("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all")


def _reason(done: Finished) -> str:
    """Return in a few words why a run of git is of no use."""
    if done.timed_out:
        return "it ran past its time limit"
    if done.truncated:
        return "its output is larger than the limit"
    return done.stderr.decode("utf-8", "replace").strip().partition("\n")[0] or f"exit code {done.returncode}"
