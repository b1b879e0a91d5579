"""How well an engine finds what a change touched: ranks of files, and what a budget of tokens shows of them."""

import ast
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import mean, median
from typing import Any

from maintainer.tools.tokens import open_counter

from .retrieval_baselines import Item, read

BUDGETS = (1000, 4000)
LEAST_LINES = 3
"""Lines of a file that must be shown (or all of it) for the file to count as shown."""
HALF, ENOUGH = 0.5, 25
"""A symbol counts as shown with half of its lines, or this many."""
COUNTER = open_counter()


def score(
    engine: Any, cases: Sequence[Mapping[str, Any]], tree: Path, budgets: Sequence[int] = BUDGETS
) -> list[dict[str, Any]]:
    """Return a row for each case of one tree: its language and project, what was found of it, and what that cost.

    Costs are in CPU time: ``build_s`` and ``index_mb`` of the tree, ``query_ms`` of an answer within the last budget.
    """
    repo = str(tree.resolve())
    started = time.process_time()
    engine.build(repo)
    build_s = time.process_time() - started
    index_mb = engine.index_bytes(repo) / 1e6 if hasattr(engine, "index_bytes") else None
    rows = []
    for case in cases:
        row = {"lang": case.get("lang", "en"), "repo": case["repo"], "build_s": build_s, "index_mb": index_mb}
        row |= _ranks(engine(repo, case["query"], None), case["target_files"])
        for budget in budgets:
            started = time.process_time()
            items = engine(repo, case["query"], budget)
            row["query_ms"] = 1000 * (time.process_time() - started)
            row |= _shown(repo, within(items, budget), case, budget)
        rows.append(row)
    return rows


def figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return macro averages over projects of what was found, and the costs."""
    found = {name: _macro(rows, name) for name in rows[0] if name.startswith(("r@", "mrr", "file@", "symbol@"))}
    return {**found, "cpu": _costs(rows)}


def within(items: Iterable[Item], budget: int) -> list[Item]:
    """Return the items that fit, each with a heading; the first that does not is cut by lines and is the last."""
    used, kept = 0, []
    for path, start, end, text in items:
        heading = COUNTER.count(f"{path}:{start}-{end}\n")
        cost = heading + COUNTER.count(text)
        if used + cost <= budget:
            kept.append((path, start, end, text))
            used += cost
            continue
        lines = text.split("\n")
        while lines and heading + COUNTER.count("\n".join(lines)) > budget - used:
            lines = lines[: len(lines) * 3 // 4]
        if lines:
            kept.append((path, start, min(end, start + len(lines) - 1), "\n".join(lines)))
        break
    return kept


def _ranks(items: Iterable[Item], targets: Sequence[str]) -> dict[str, float]:
    order = list(dict.fromkeys(path for path, *_ in items))
    ranks = [order.index(path) + 1 if path in order else 0 for path in targets]
    best = min((rank for rank in ranks if rank), default=0)
    hits = {f"r@{k}": sum(0 < rank <= k for rank in ranks) / len(ranks) for k in (1, 5, 10)}
    return {**hits, "mrr": 1 / best if best else 0.0}


def _shown(repo: str, items: Iterable[Item], case: Mapping[str, Any], budget: int) -> dict[str, float | None]:
    lines_shown: dict[str, set[int]] = defaultdict(set)
    for path, start, end, text in items:
        given = {line.strip() for line in text.split("\n")}
        lines = _lines(repo, path)
        lines_shown[path] |= {n for n in range(start, min(end, len(lines)) + 1) if lines[n - 1].strip() in given - {""}}
    files = [
        len(lines_shown[path]) >= min(LEAST_LINES, sum(1 for line in _lines(repo, path) if line.strip()))
        for path in case["target_files"]
    ]
    symbols = []
    for path, _, name in (symbol.partition("::") for symbol in case["target_symbols"]):
        span = _symbols(repo, path).get(name)
        if span is not None:
            own = [n for n in range(span[0], span[1] + 1) if _lines(repo, path)[n - 1].strip()]
            seen = sum(n in lines_shown[path] for n in own)
            symbols.append(seen >= HALF * len(own) or seen >= ENOUGH)
    return {f"file@{budget}": mean(files), f"symbol@{budget}": mean(symbols) if symbols else None}


@cache
def _lines(repo: str, path: str) -> tuple[str, ...]:
    return tuple(read(Path(repo) / path).split("\n"))


@cache
def _symbols(repo: str, path: str) -> dict[str, tuple[int, int]]:
    """Return first and last line by qualified name; of a class, the lines before its first method."""
    found: dict[str, tuple[int, int]] = {}

    def collect(body: Iterable[ast.AST], outer: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                end = node.end_lineno or node.lineno
                if isinstance(node, ast.ClassDef):
                    methods = [_first(each) for each in node.body if isinstance(each, ast.FunctionDef)]
                    end = max(node.lineno, min([end, *(line - 1 for line in methods)]))
                    collect(node.body, f"{outer}{node.name}.")
                found[outer + node.name] = (_first(node), end)
            elif isinstance(node, ast.If | ast.Try):
                collect(ast.iter_child_nodes(node), outer)

    try:
        collect(ast.parse("\n".join(_lines(repo, path))).body, "")
    except SyntaxError:
        return {}
    return found


def _first(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _macro(rows: Sequence[Mapping[str, Any]], name: str) -> float | None:
    by_repo: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row[name] is not None:
            by_repo[row["repo"]].append(row[name])
    return round(mean(mean(values) for values in by_repo.values()), 3) if by_repo else None


def _costs(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    queries = sorted(row["query_ms"] for row in rows)
    sizes = [row["index_mb"] for row in rows if row["index_mb"] is not None]
    return {
        "build_s_max": round(max(row["build_s"] for row in rows), 2),
        "query_ms_p50": round(median(queries), 1),
        "query_ms_p95": round(queries[int(0.95 * (len(queries) - 1))], 1),
        **({"index_mb_max": round(max(sizes), 1)} if sizes else {}),
    }
