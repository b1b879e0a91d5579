"""Which packets to take: the 0/1 knapsack, by dynamic programming."""

from collections.abc import Sequence

STEPS = 4_096
"""Rooms up to so many tokens are packed exactly; larger ones in steps of room / 4,096 tokens, rounded up, and what
rounding leaves free goes by value per token: together at least 98% of the optimum (tests)."""


def pack(values: Sequence[float], sizes: Sequence[int], room: int) -> list[int]:
    """Return the places of the items with the largest total value whose sizes fit into the room, in order.

    Args:
        values: Of each item; those of 0 or less are never taken.
        sizes: Of each item, in tokens, >= 0.
        room: In tokens.
    """
    usable = [
        place for place, (value, size) in enumerate(zip(values, sizes, strict=True)) if value > 0 and size <= room
    ]
    if not usable or sum(sizes[place] for place in usable) <= room:
        return usable
    import numpy as np

    unit = -(-room // STEPS)
    width = room // unit
    best = np.zeros(width + 1)
    taken = np.zeros((len(usable), width + 1), dtype=bool)
    for row, place in enumerate(usable):
        size = -(-sizes[place] // unit)
        if size > width:
            continue
        with_it = best[: width + 1 - size] + values[place]
        better = with_it > best[size:]
        taken[row, size:] = better
        best[size:] = np.where(better, with_it, best[size:])
    chosen, left = [], width
    for row in reversed(range(len(usable))):
        if taken[row, left]:
            chosen.append(usable[row])
            left -= -(-sizes[usable[row]] // unit)
    return sorted(chosen + _leftover(values, sizes, room, usable, chosen))


def _leftover(
    values: Sequence[float], sizes: Sequence[int], room: int, usable: Sequence[int], chosen: Sequence[int]
) -> list[int]:
    """Return what still fits into the tokens that rounding up has left free, by value per token."""
    left = room - sum(sizes[place] for place in chosen)
    known, more = set(chosen), []
    for place in sorted(usable, key=lambda place: -values[place] / max(sizes[place], 1)):
        if place not in known and sizes[place] <= left:
            more.append(place)
            left -= sizes[place]
    return more
