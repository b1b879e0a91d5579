"""What the history tells: where change and complexity meet, and what only one person knows."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from statistics import mean

from .....state.report import Finding, Place
from ....git import names_today
from ...known.project import Project

LEAST_COMMITS = 20
"""Of a history that tells anything."""
LEAST_CHANGES, LEAST_COMPLEXITY = 5, 25
OFTEN = 3.0
"""Times the mean number of changes from which on a file counts as often changed."""
MOST_HOT_SPOTS = 10
AWAY_DAYS = 180
"""Days without a commit after which an author counts as gone."""
KNOWN_COMPLEXITY = 5
"""Less is understood in minutes, whoever wrote it."""


def hot_spots(project: Project) -> Iterator[Finding]:
    """Yield the source files that are both changed often and complex (Tornhill, Your Code as a Crime Scene)."""
    changes = _changes(project)
    if len(project.commits) < LEAST_COMMITS or not changes:
        return
    often = max(LEAST_CHANGES, OFTEN * mean(changes.values()))
    hot = [
        (changes[path] * complexity, path, complexity)
        for path, complexity in _complexity(project).items()
        if changes[path] >= often and complexity >= LEAST_COMPLEXITY
    ]
    for rank, (_, path, complexity) in enumerate(sorted(hot, reverse=True)[:MOST_HOT_SPOTS]):
        yield Finding(
            kind="hot_spot",
            place=Place(path=path),
            severity="medium" if rank < 3 else "low",
            why="hot",
            confidence=0.85,
            facts={"changes": changes[path], "commits": len(project.commits), "complexity": complexity},
        )


def bus_factor(project: Project) -> Iterator[Finding]:
    """Yield source files that only one person ever changed, who has not been seen for half a year."""
    commits = project.commits
    if len(commits) < LEAST_COMMITS or len({commit.author for commit in commits}) < 2:
        return
    newest = max(commit.time for commit in commits)
    last_seen: dict[str, datetime] = {}
    for commit in commits:
        last_seen[commit.author] = max(last_seen.get(commit.author, commit.time), commit.time)
    touched = _authors(project)
    for path, complexity in _complexity(project).items():
        counts = touched.get(path, Counter())
        if len(counts) != 1 or complexity < KNOWN_COMPLEXITY:
            continue
        [(author, number)] = counts.items()
        away = (newest - last_seen[author]).days
        if number >= 2 and away >= AWAY_DAYS:
            yield Finding(
                kind="bus_factor",
                place=Place(path=path),
                severity="low",
                why="author_away",
                confidence=0.8,
                facts={"author": author, "changes": number, "away_days": away, "complexity": complexity},
            )


def _complexity(project: Project) -> dict[str, int]:
    """Return the sum of complexities by source file."""
    return {facts.path: sum(each.complexity for each in facts.functions) for facts in project.of_role("source")}


def _changes(project: Project) -> Counter[str]:
    """Return how many commits changed each source file, under its name of today."""
    names = names_today(project.commits)
    counts = Counter(names.get(path, path) for commit in project.commits for path in commit.files)
    return Counter({path: counts[path] for path in _complexity(project) if path in counts})


def _authors(project: Project) -> dict[str, Counter[str]]:
    names = names_today(project.commits)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for commit in project.commits:
        for path in commit.files:
            found[names.get(path, path)][commit.author] += 1
    return found
