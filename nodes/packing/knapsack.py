"""Which packets to take: the 0/1 knapsack, solved exactly at the resolution of 4,096 steps."""

from collections.abc import Sequence

STEPS = 4_096
"""Rooms up to so many tokens are packed exactly; larger ones in steps of room / 4,096 tokens, rounded up."""


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
    return sorted(chosen)
