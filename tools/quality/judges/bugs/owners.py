"""Rows of one person that every other may read or change: handlers that never look at who is asking."""

import re
from collections.abc import Iterator, Mapping, Set

from .....state.report import Finding, Place
from ...facts.requests import Model, View
from ...known.project import Project
from ...risks.requests.owners import STAFF
from .calls import Calls

_FOR_ALL = frozenset(
    {
        *("post", "topic", "thread", "comment", "review", "article", "forum", "tag", "category", "product", "item"),
        *("listing", "event", "course", "lesson", "book", "title", "recipe", "photo", "image", "video", "song", "lot"),
        *("question", "answer", "page", "news", "blog", "story", "project", "show", "film", "sale", "shop", "store"),
        *("menu", "dish", "branch", "venue", "room", "profile", "badge", "poll", "wiki", "playlist", "rating", "movie"),
    }
)
"""What is made to be seen by others, by the name of its class."""
_OF_STAFF = re.compile(rf"(?<![a-z])(?:back)?(?:{STAFF.pattern})", re.I)
"""Folders and modules for those who work there, by their names; a box office is for everybody."""
_CHANGES = re.compile(r"put|patch|delete", re.I)


def owners(project: Project) -> Iterator[Finding]:
    """Yield the handlers that load somebody's row for whoever is signed in."""
    known = [each for facts in project.of_role("source") if facts.python for each in facts.python.models]
    whose = {each for facts in project.of_role("source") if facts.python for each in facts.python.whose}
    owned = _owned(known) | _asked_for(known, whose)
    calls = Calls(project)
    for facts in project.of_role("source"):
        for view in facts.python.views if facts.python and not _OF_STAFF.search(facts.path) else ():
            assert facts.python is not None
            rows, minded = set(view.rows), False
            for callee in {*view.calls, *view.loaders}:
                for path, name in calls.named(facts, callee):
                    python = project.files[path].python
                    minded = minded or bool(python and name in python.minding)
                    rows |= set(python.loading.get(name, ())) if python and callee in view.loaders else set()
            theirs = [each for each in sorted(rows) if each in owned and _is_private(each, view)]
            if view.beside and view.beside.removesuffix("s") not in _FOR_ALL:
                theirs = theirs or [view.beside]
            if theirs and not minded and not (view.whole and not whose):
                yield Finding(
                    kind="security",
                    rule="owner-unchecked",
                    place=Place(path=facts.path, line=view.line, end=view.end),
                    symbol=view.name,
                    severity="high",
                    why="weak_protection",
                    confidence=0.75,
                    facts={"message": "owner-unchecked", "what": theirs[0]},
                    evidence=project.evidence(facts.path, view.line, view.end),
                )


def _is_private(row: str, view: View) -> bool:
    return not _is_for_all(row) or bool(_CHANGES.search(view.verb))


def _is_for_all(row: str) -> bool:
    return bool(_FOR_ALL & {word.lower() for word in re.findall(r"[A-Z][a-z]+", row)[-1:]})


def _asked_for(known: list[Model], whose: Set[str]) -> Set[str]:
    """Return the classes whose rows a program elsewhere asks whose they are, by their field or through one of it."""
    last = {each for each in whose if "." not in each}
    through = {each.partition(".")[0] for each in whose if "." in each}
    return {each.name for each in known if (last | through) & set(each.fields)}


def _owned(known: list[Model]) -> Set[str]:
    """Return the classes whose rows belong to somebody who signs in, or to a row that does."""
    people = {each.name for each in known if each.signs_in}
    by_name: Mapping[str, str] = {
        word: each.name for each in known for word in (each.name.lower(), f"{each.name.lower()}s", each.table) if word
    }
    refers = {
        each.name: {by_name.get(word.lower(), word) for word in each.refers if word != each.name} for each in known
    }
    people |= {word for words in refers.values() for word in words if word in ("User", "AUTH_USER_MODEL")}
    owned = {name for name, to in refers.items() if to & people and name not in people}
    return owned | {
        name
        for name, to in refers.items()
        if name not in people and any(each in owned and not _is_for_all(each) for each in to)
    }
