"""The world as the last session left it, and what has happened since: told at the top of the next session."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..state.errors import MaintainerError, RepositoryError
from ..state.session import Language
from ..state.situation import Since, Situation
from .clock import Clock
from .files import locked, write_atomic
from .git import Commit, Git, names_today
from .quality.engine import Quality
from .quality.memory import QualityMemory
from .quality.words import line
from .secrets import mask

_SUBJECT = 80
MOST_COMMITS = 200
"""Looked at; the rest are not told."""
_SITUATION = TypeAdapter(Situation)


class LastSeen:
    """Keeps what the running and the last session saw of a repository, in `seen.json` of our folder."""

    def __init__(self, home: Path) -> None:
        self._path = home / "seen.json"

    def by_another(self, session: str) -> Situation | None:
        """Return what the last session other than this one saw, None where there was none."""
        kept = self._load()
        return _situation(kept.get("before" if kept.get("session") == session else "seen"))

    def moment_ns(self) -> int:
        """Return when the last look was kept, by the clock of the file system, in nanoseconds; 0 where none was."""
        try:
            return self._path.stat().st_mtime_ns
        except OSError:
            return 0

    def keep(self, session: str, seen: Situation) -> None:
        """Remember what a session sees now. Model, tokenizer and index are a session's own business and left out.

        Raises:
            StoreError: The file cannot be written.
        """
        told = Situation(head=seen.head, branch=seen.branch, stale_notes=seen.stale_notes)
        with locked(self._path.with_suffix(".lock")):
            kept = self._load()
            before = kept.get("before") if kept.get("session") == session else kept.get("seen")
            plain = {"session": session, "before": before, "seen": _SITUATION.dump_python(told, mode="json")}
            write_atomic(self._path, json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace"))

    def _load(self) -> dict[str, Any]:
        """Return what is kept; a damaged file is as good as none: the next session writes it again."""
        try:
            plain = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return plain if isinstance(plain, dict) else {}


def _situation(plain: Any) -> Situation | None:
    try:
        return None if plain is None else _SITUATION.validate_python(plain)
    except ValidationError:
        return None


class History:
    """Tells what has happened in a repository since a commit."""

    def __init__(self, git: Git, quality: Quality, findings: QualityMemory, clock: Clock) -> None:
        self._git, self._quality, self._findings, self._clock = git, quality, findings, clock

    def since(self, head: str, session: str, language: Language, with_findings: bool) -> Since:
        """Return commits, renamed and changed files after a commit, and what became of the findings.

        Where the commit is gone (a history that was rewritten or cloned anew), nothing is told.

        Args:
            head: The commit.
            session: Whose findings are compared with those of the session before it.
            language: Of the findings.
            with_findings: Whether to analyse; that is only done where an earlier session has.
        """
        try:
            commits = self._git.log(limit=MOST_COMMITS, since=head)
            changed = [change.path for change in self._git.changed_since(head)]
        except RepositoryError:
            return Since()
        renames = names_today(commits)
        since = Since(
            commits=[_told(commit) for commit in commits],
            renamed=[f"{old} -> {now}" for old, now in sorted(renames.items())],
            changed=changed,
        )
        if not with_findings or not commits or not self._findings.trend():
            return since
        try:
            report = self._findings.compare_and_keep(self._quality.analyze(), session, self._clock.now(), renames)
        except MaintainerError:
            return since  # what is wrong with the analysis is said where it is asked for
        return replace(since, fixed=[line(each, language) for each in report.fixed], appeared=len(report.new))


def _told(commit: Commit) -> str:
    """Return a commit in a few words; its subject is the words of others, so secrets are masked and it stays short."""
    subject = " ".join(commit.message.partition("\n")[0].split())[:_SUBJECT]
    return f'{commit.sha[:10]} {commit.author}: "{mask(subject)}"'
