"""What a session took for granted, and what is different now: compared whenever it goes on."""

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from pydantic.dataclasses import dataclass

from .packet import ContextPacket

MAX_FILES_NAMED = 20
"""How many changed files a drift packet names; the rest are counted."""
MAX_COMMITS_NAMED, MAX_RENAMES_NAMED, MAX_FIXED_NAMED = 5, 10, 5


@dataclass(frozen=True, kw_only=True)
class Situation:
    """The world as one turn saw it; an empty field means that nobody looked."""

    repo: str = ""
    """Absolute path of the repository."""
    head: str = ""
    """Commit id of HEAD; `""` outside git."""
    branch: str = ""
    model: str = ""
    tokenizer: str = ""
    """Name of the counter all budgets are in."""
    index: str = ""
    """What search by meaning rests on: the embedder's name and revision, or ``"words"``."""
    stale_notes: list[str] = field(default_factory=list)
    """Ids of notes whose code has changed since they were written."""


@dataclass(frozen=True, kw_only=True)
class Since:
    """What happened in a repository between two looks at it; empty where nothing did, or nobody could tell."""

    commits: list[str] = field(default_factory=list)
    """Newest first, as `1a2b3c4d5e Ann: "subject"`."""
    renamed: list[str] = field(default_factory=list)
    """As `old -> new`."""
    changed: list[str] = field(default_factory=list)
    """Paths that differ."""
    fixed: list[str] = field(default_factory=list)
    """Findings that are gone, as sentences."""
    appeared: int = 0
    """Findings that are new."""
    edited: list[str] = field(default_factory=list)
    """Paths that somebody changed and has not committed."""


Aspect = Literal["repo", "head", "branch", "model", "tokenizer", "index", "stale_notes"]


@dataclass(frozen=True, kw_only=True)
class Drift:
    """One difference between then and now."""

    what: Aspect
    before: str
    now: str


_SENTENCES: dict[Aspect, tuple[str, str]] = {
    "repo": (
        "The repository is now at {now}; it was at {before}.",
        "仓库现在位于 {now},原来位于 {before}。",
    ),
    "head": (
        "HEAD moved from {before} to {now}: code seen earlier may have changed; look again before relying on it.",
        "HEAD 已从 {before} 移动到 {now}:之前看到的代码可能已变,使用前请重新查看。",
    ),
    "branch": ("The branch is now {now}; it was {before}.", "当前分支是 {now},原来是 {before}。"),
    "model": ("The model is now {now}; it was {before}.", "模型现在是 {now},原来是 {before}。"),
    "tokenizer": (
        "Tokens are now counted by {now}; earlier counts are by {before}.",
        "现在用 {now} 计算 token,之前的数目是用 {before} 算的。",
    ),
    "index": (
        "Search by meaning now rests on {now}; it was {before}.",
        "语义搜索现在使用 {now},原来是 {before}。",
    ),
    "stale_notes": (
        "Notes about code that has changed since: {now}.",
        "以下笔记所指的代码已经改变:{now}。",
    ),
}


def changes(before: Situation | None, now: Situation) -> list[Drift]:
    """Return what differs, most important first; nothing on a first turn or where one side did not look."""
    if before is None:
        return []
    found = []
    for what in _SENTENCES:
        then, present = getattr(before, what), getattr(now, what)
        if what == "stale_notes":
            then, present = ", ".join(then), ", ".join(sorted(set(present) - set(then)))
            if present:
                found.append(Drift(what=what, before=then, now=present))
        elif then and present and then != present:
            found.append(Drift(what=what, before=then, now=present))
    return found


def told(drift: Drift, language: Literal["en", "zh"] = "en") -> str:
    """Return one difference as a sentence; commit ids are cut to ten digits."""
    short = slice(10) if drift.what == "head" else slice(None)
    sentence = _SENTENCES[drift.what][language == "zh"]
    return sentence.format(before=drift.before[short], now=drift.now[short])


def drift_packets(
    drifts: Sequence[Drift], *, since: Since | None = None, language: Literal["en", "zh"] = "en"
) -> list[ContextPacket]:
    """Return the differences as one packet for the context, or none where nothing differs.

    Args:
        drifts: From `changes`.
        since: What happened between the two commits, where git could tell.
        language: Of the sentences.
    """
    if not drifts and not (since and since.edited):
        return []
    lines = [told(drift, language) for drift in drifts]
    lines += _happened(since or Since(), zh=language == "zh")
    # An open question of trust does not fade and must be read before the evidence it puts in doubt.
    metadata = {
        "type": "task_state",
        "source": "situation",
        "drift": [*(drift.what for drift in drifts), *(["edits"] if since and since.edited else [])],
    }
    return [ContextPacket(content="\n".join(lines), relevance_score=0.9, metadata=metadata)]


def _happened(since: Since, *, zh: bool) -> list[str]:
    """Return what happened as lines: commits, renamed files, changed files, findings gone and new."""
    rows = (
        (f"{len(since.commits)} 次提交" if zh else f"Commits ({len(since.commits)})", since.commits, MAX_COMMITS_NAMED),
        ("移动或重命名" if zh else "Moved or renamed", since.renamed, MAX_RENAMES_NAMED),
        ("改变的文件" if zh else "Files that changed", since.changed, MAX_FILES_NAMED),
        ("已改动但未提交" if zh else "Changed and not committed", since.edited, MAX_FILES_NAMED),
        (
            "以下发现已不存在" if zh else "Findings that are gone",
            since.fixed,
            MAX_FIXED_NAMED,
        ),
    )
    colon, comma = (":", ";") if zh else (": ", ", ")
    lines = []
    for label, values, most in rows:
        more = f" (+{len(values) - most})" if len(values) > most else ""
        if values:
            lines.append(f"{label}{colon}{comma.join(values[:most])}{more}")
    if since.appeared:
        lines.append(f"新增发现:{since.appeared}" if zh else f"New findings: {since.appeared}")
    return lines
