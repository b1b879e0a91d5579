"""Small charts as SVG: they need no script, scale on a phone and print well."""

from collections.abc import Mapping, Sequence
from html import escape

PALETTE = ("#3b6ea5", "#d98324", "#5a9367", "#a04e6c", "#7a6fb0", "#8c8c8c", "#4ba3a3", "#b8a13c")
"""Colours that stay apart in print and for most colour-blind readers."""
HEAT = ("#f2efe8", "#fbe3c0", "#f6bd7e", "#e8894b", "#c9502c", "#8f2a1c")


def bars(rows: Sequence[tuple[str, Mapping[str, int]]], colours: Mapping[str, str], *, most: int, title: str) -> str:
    """Return horizontal stacked bars, one a row, all on one scale.

    Args:
        rows: Label, and lengths by part.
        colours: Of each part.
        most: The value that fills the width; > 0.
        title: For readers who cannot see it.
    """
    height, width, left = 26, 760, 90
    parts = []
    for number, (label, values) in enumerate(rows):
        y, x = number * height + 4, float(left)
        parts.append(f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(label)}</text>')
        for name, value in values.items():
            length = (width - left) * value / max(1, most)
            if length > 0:
                tip = _tip(f"{name}: {value}")
                colour = colours.get(name, PALETTE[5])
                parts.append(f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="17" fill="{colour}">{tip}</rect>')
            x += length
    return _svg(width, len(rows) * height + 8, parts, title)


def lines(points: Sequence[tuple[str, Mapping[str, int]]], colours: Mapping[str, str], *, title: str) -> str:
    """Return one line for each name over points in time, with a dot and a number at each."""
    width, height, edge = 760, 220, 34
    top = max((value for _, values in points for value in values.values()), default=0) or 1
    step = (width - 2 * edge) / max(1, len(points) - 1)
    parts = [f'<line x1="{edge}" y1="{height - edge}" x2="{width - edge}" y2="{height - edge}" stroke="#999"/>']
    for name, colour in colours.items():
        places = [
            (edge + number * step, height - edge - (height - 2 * edge) * values.get(name, 0) / top, values.get(name, 0))
            for number, (_, values) in enumerate(points)
        ]
        if not any(value for *_, value in places):
            continue
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">{_tip(f"{name}: {value}")}</circle>'
            for x, y, value in places
        ]
        x, y, value = places[-1]
        parts.append(f'<text x="{min(x + 6, width - 20):.1f}" y="{y + 4:.1f}" fill="{colour}">{value}</text>')
    every = max(1, len(points) // 8)
    for number, (label, _) in enumerate(points):
        if number % every == 0:
            parts.append(
                f'<text x="{edge + number * step:.1f}" y="{height - 12}" text-anchor="middle">{escape(label)}</text>'
            )
    return _svg(width, height, parts, title)


def tiles(boxes: Sequence[tuple[str, int, float]], *, title: str) -> str:
    """Return a map of boxes whose areas are sizes and whose colours are weights, in rows (a squarified treemap).

    Args:
        boxes: Label, size > 0, weight in [0, 1].
        title: For readers who cannot see it.
    """
    width, height = 760.0, 320.0
    parts: list[str] = []
    for (label, size, weight), (x, y, w, h) in zip(
        boxes, _squarified([b[1] for b in boxes], width, height), strict=True
    ):
        colour = HEAT[min(len(HEAT) - 1, round(weight * (len(HEAT) - 1)))]
        ink = "#fff" if weight > 0.7 else "#222"
        tip = _tip(f"{label}: {size}")
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{colour}" stroke="#fff">{tip}</rect>'
        )
        if w > 60 and h > 18:
            shown = label if len(label) * 6.4 < w - 8 else "…" + label[-max(1, int((w - 16) / 6.4)) :]
            parts.append(f'<text x="{x + 4:.1f}" y="{y + 14:.1f}" fill="{ink}">{escape(shown)}</text>')
    return _svg(int(width), int(height), parts, title)


def _squarified(sizes: Sequence[int], width: float, height: float) -> list[tuple[float, float, float, float]]:
    """Return a rectangle for each size, in order, as square as rows allow (Bruls, Huizing, van Wijk 2000)."""
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


def legend(colours: Mapping[str, str]) -> str:
    """Return the names beside their colours."""
    marks = (f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour in colours.items())
    return f'<p class="legend">{" ".join(marks)}</p>'


def _tip(words: str) -> str:
    return f"<title>{escape(words)}</title>"


def _svg(width: int, height: int, parts: Sequence[str], title: str) -> str:
    head = f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
    return f"{head}{''.join(parts)}</svg>"
