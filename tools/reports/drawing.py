"""Small charts without script: bars and maps as boxes, so that their words stay readable on a phone; lines as SVG."""

from collections.abc import Mapping, Sequence
from html import escape

HEAT = 5
"""Shades of a map, from 0."""
ROW = 68
"""Height of one row beside a rail, in pixels; `page.css` says the same."""
_NODE, _WIDEST, _LANE = 10, 46, 11
"""Half the width of a node's place, the widest arc, and how far one goes out for each row it spans, in pixels."""


def bars(rows: Sequence[tuple[str, Mapping[str, int], str]], names: Mapping[str, str], *, most: int, title: str) -> str:
    """Return horizontal stacked bars, one a row, all on one scale, each with words at its end.

    Args:
        rows: Label, lengths by part, words at the end.
        names: What a part is called, by part; a part is drawn in the colour of the class of its name.
        most: The value that fills the width; > 0.
        title: For readers who cannot see it.
    """
    drawn = []
    for label, values, end in rows:
        parts = "".join(
            f'<i class="{part}" style="width:{100 * value / most:.2f}%" {_tip(f"{names[part]}: {value:,}")}></i>'
            for part, value in values.items()
            if value > 0
        )
        track = f'<span class="track">{parts}</span>'
        drawn.append(f'<div class="bar"><span>{escape(label)}</span>{track}<span>{escape(end)}</span></div>')
    return f'<div class="bars" role="img" aria-label="{escape(title)}">{"".join(drawn)}</div>'


def lines(points: Sequence[tuple[str, Mapping[str, int]]], names: Mapping[str, str], *, title: str) -> str:
    """Return one line for each name over points in time, with a dot at each and a number at the last.

    Args:
        points: Label and values by part.
        names: What a part is called, by part; as in `bars`.
        title: For readers who cannot see it.
    """
    width, height, left, right, low = 380, 150, 10, 34, 22
    top = max((value for _, values in points for value in values.values()), default=0) or 1
    step = (width - left - right) / max(1, len(points) - 1)
    parts = [f'<line class="axis" x1="{left}" y1="{height - low}" x2="{width - right}" y2="{height - low}"/>']
    for name, called in names.items():
        values = [values.get(name, 0) for _, values in points]
        if not any(values):
            continue
        places = [(left + step * at, 8 + (height - low - 8) * (1 - value / top)) for at, value in enumerate(values)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline class="{name}" points="{path}"/>')
        for (x, y), value in zip(places, values, strict=True):
            words = f"<title>{escape(f'{called}: {value}')}</title>"
            parts.append(f'<circle class="{name}" cx="{x:.1f}" cy="{y:.1f}" r="2.5">{words}</circle>')
        x, y = places[-1]
        parts.append(f'<text class="{name}" x="{x + 6:.1f}" y="{y + 4:.1f}">{values[-1]}</text>')
    if points:
        parts.append(f'<text x="{left}" y="{height - 6}">{escape(points[0][0])}</text>')
    if len(points) > 1:
        parts.append(f'<text x="{width - right}" y="{height - 6}" text-anchor="end">{escape(points[-1][0])}</text>')
    head = f'<svg class="trend" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
    return f"{head}{''.join(parts)}</svg>"


def tiles(boxes: Sequence[tuple[str, int, float]], *, title: str) -> str:
    """Return a map of boxes whose areas are sizes and whose shades are weights, in rows (a squarified treemap).

    Args:
        boxes: Label, size > 0, weight in [0, 1].
        title: For readers who cannot see it.
    """
    placed = squarified([size for _, size, _ in boxes], 100.0, 40.0)
    drawn = []
    for (label, size, weight), (x, y, w, h) in zip(boxes, placed, strict=True):
        place = f"left:{x:.2f}%;top:{y * 2.5:.2f}%;width:{w:.2f}%;height:{h * 2.5:.2f}%"
        words = escape(label) if w > 9 and h > 4 else ""
        shade = f"heat{round(weight * HEAT)}"
        drawn.append(f'<div class="{shade}" style="{place}" {_tip(f"{label}: {size:,}")}>{words}</div>')
    return f'<div class="map" role="img" aria-label="{escape(title)}">{"".join(drawn)}</div>'


def squarified(sizes: Sequence[int], width: float, height: float) -> list[tuple[float, float, float, float]]:
    """Return x, y, width, height for each size, in order, as square as rows allow (Bruls, Huizing, van Wijk 2000)."""
    total = sum(sizes) or 1
    areas = [size * width * height / total for size in sizes]
    placed: list[tuple[float, float, float, float]] = []
    x, y, w, h = 0.0, 0.0, width, height
    start = 0
    while start < len(areas):
        side = min(w, h)
        end = start + 1
        while end < len(areas) and _worst(areas[start : end + 1], side) <= _worst(areas[start:end], side):
            end += 1
        row = areas[start:end]
        depth = sum(row) / side if side else 0.0
        offset = 0.0
        for area in row:
            length = area / depth if depth else 0.0
            placed.append((x, y + offset, depth, length) if w >= h else (x + offset, y, length, depth))
            offset += length
        x, y, w, h = (x + depth, y, w - depth, h) if w >= h else (x, y + depth, w, h - depth)
        start = end
    return placed


def _worst(row: Sequence[float], side: float) -> float:
    total = sum(row)
    return max((max(row) * side**2) / total**2, total**2 / (min(row) * side**2)) if total and min(row) else float("inf")


def rail(states: Sequence[str], arcs: Sequence[tuple[int, int, str]], *, title: str) -> str:
    """Return a column of nodes for rows of equal height, with arcs from one row to another on its left.

    Args:
        states: Class of each row's node, top down.
        arcs: Row, row, class.
        title: For readers who cannot see it.
    """
    reach = min(_WIDEST, max((_LANE * abs(other - one) + 4 for one, other, _ in arcs), default=0))
    x, width, height = reach + _NODE, reach + 2 * _NODE, ROW * len(states)
    parts = []
    for one, other, kind in arcs:
        y, to, out = _middle(one), _middle(other), x - min(reach, _LANE * abs(other - one) + 4)
        parts.append(f'<path class="{kind}" d="M{x},{y} C{out},{y} {out},{to} {x - 7},{to}"/>')
    parts += [f'<circle class="{kind}" cx="{x}" cy="{_middle(at)}" r="6"/>' for at, kind in enumerate(states)]
    head = f'<svg class="rail" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img"'
    return f'{head} aria-label="{escape(title)}">{"".join(parts)}</svg>'


def legend(names: Mapping[str, str]) -> str:
    """Return what parts are called beside their colours, by part."""
    marks = (f'<span><i class="{part}"></i>{escape(called)}</span>' for part, called in names.items())
    return f'<p class="legend">{" ".join(marks)}</p>'


def _middle(row: int) -> int:
    return ROW * row + ROW // 2


def _tip(words: str) -> str:
    return f'title="{escape(words)}"'
