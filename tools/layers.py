"""Boxes of files, ordered so that imports point down."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from .import_graph import Edge, cycles

AGAINST_THE_STREAM = 3
"""Imports in one direction for one in the other, from which on the other is called a breach."""


def boxes_of(paths: Iterable[str]) -> dict[str, str]:
    """Return, by file, the box it is in: its folder, or the file itself where the folder holds folders of source.

    The modules beside sub-packages are the application's root and its foundation at once: one box would tie a knot.
    """
    paths = list(paths)
    inner = {folder_of(path) for path in paths}
    outer = {str(parent) for folder in inner for parent in PurePosixPath(folder).parents if str(parent) in inner}
    return {path: path if folder_of(path) in outer else folder_of(path) for path in paths}


def main_directions(box: Mapping[str, str], inner: Iterable[Edge]) -> dict[tuple[str, str], int]:
    """Return how often files of one box import files of another, without what goes against the stream.

    One import against many in the other direction is a breach of the layers, not part of them.
    """
    counts = Counter((box[edge.source], box[edge.target]) for edge in inner)
    return {
        (one, other): count
        for (one, other), count in counts.items()
        if one != other and count * AGAINST_THE_STREAM > counts[other, one]
    }


def layers_of(box: Mapping[str, str], inner: Sequence[Edge]) -> tuple[tuple[str, ...], ...]:
    """Return boxes ordered so that imports point down; those in a cycle share a layer."""
    kept = [Edge(source=one, target=other, line=0, late=False) for one, other in main_directions(box, inner)]
    group: dict[str, tuple[str, ...]] = {name: (name,) for edge in kept for name in (edge.source, edge.target)}
    for members in cycles(kept):
        group.update(dict.fromkeys(members, tuple(members)))
    below: dict[tuple[str, ...], set[tuple[str, ...]]] = {members: set() for members in group.values()}
    for edge in kept:
        if group[edge.source] != group[edge.target]:
            below[group[edge.source]].add(group[edge.target])
    levels: list[tuple[str, ...]] = []
    while below:
        lowest = [members for members, under in below.items() if not under & below.keys()]
        levels.append(tuple(sorted(name for each in lowest for name in each)))
        for each in lowest:
            del below[each]
    return tuple(reversed(levels))


def folder_of(path: str) -> str:
    """Return the folder of a file of the repository, `.` for the root."""
    return path.rpartition("/")[0] or "."
