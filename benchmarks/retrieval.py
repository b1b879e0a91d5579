"""Code search, measured: which files and lines a question finds, beside other ways; an ablation; speed and size.

python -m benchmarks retrieval                                   on the history of this repository
python -m benchmarks retrieval --data DATA.jsonl --trees DIR     on a data set: query, repo, sdist_version, targets
                               [--history DIR] [--lang en,zh,lay] [--repos flask,click] [--limit N] [--cache DIR]
                               [--engines ours,bm25] [--ablation]
python -m benchmarks retrieval --speed 3000 [--functions 1]      on a generated repository of so many files
python -m benchmarks retrieval --size DIR                        of the index of a repository, by what takes it
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from maintainer.tools.code_index.choice import role_of
from maintainer.tools.code_index.ranking import Weights
from maintainer.tools.embeddings import open_embedder
from maintainer.tools.git import Git

from .retrieval_baselines import Bm25, Classic, PlainChroma
from .retrieval_engines import Commit, Commits, Opened, Ours, OursWithVectors, without
from .retrieval_score import BUDGETS, figures, score
from .retrieval_speed import FUNCTIONS, size, speed
from .retrieval_vectors import Remembering

ROOT = Path(__file__).parent.parent
ENGINES: Mapping[str, type] = {
    "words": Ours,
    "ours": OursWithVectors,
    "bm25": Bm25,
    "chroma": PlainChroma,
    "classic": Classic,
}
NEWEST = 60
"""Commits of a repository that become questions; the older ones are its history."""
MOST_FILES = 4


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks retrieval", description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--trees", type=Path)
    parser.add_argument("--history", default="")
    parser.add_argument("--repo", type=Path, default=ROOT)
    parser.add_argument("--repos", default="", help="of the data set; all without it")
    parser.add_argument("--lang", default="en,zh,lay")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--ablation", action="store_true", help="ours without each signal in turn, too")
    parser.add_argument("--limit", type=int, default=0, help="questions of each repository and language")
    parser.add_argument("--cache", type=Path, help="folder that keeps vectors for the next run")
    parser.add_argument("--speed", type=int, default=0, metavar="FILES")
    parser.add_argument("--functions", type=int, default=FUNCTIONS, help="most functions of a generated file")
    parser.add_argument("--size", type=Path, metavar="DIR")
    options = parser.parse_args(argv)
    if options.speed:
        return speed(options.speed, options.functions)
    if options.size:
        return size(options.size)
    cases, trees, history = _cases(options)
    engines = {name: ENGINES[name] for name in options.engines.split(",")}
    lean = {f"without {field.name}": without(field.name) for field in fields(Weights)} if options.ablation else {}
    return compare({**engines, **lean}, _chosen(cases, options), trees, options, history, lean=lean)


def compare(
    engines: Mapping[str, type],
    cases: Sequence[Mapping[str, Any]],
    trees: Path,
    options: argparse.Namespace,
    history: Commits | None,
    *,
    lean: Mapping[str, type],
) -> dict[str, Any]:
    """Return the figures by language and engine: macro averages over projects.

    Tree by tree, so that all engines share one index of it; those in `lean` are asked for one budget only.
    """
    embedder = open_embedder()
    assert embedder is not None
    vectors, kept = Remembering(embedder, options.cache), dict[str, Opened]()
    made = {name: _made(make, kept, vectors, options.history, history) for name, make in engines.items()}
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in made}
    names = sorted({case["tree"] for case in cases})
    for number, tree in enumerate(names, 1):
        print(f"{number} of {len(names)}: {tree}", file=sys.stderr, flush=True)
        members = [case for case in cases if case["tree"] == tree]
        for name, engine in made.items():
            rows[name] += score(engine, members, trees / tree, BUDGETS[-1:] if name in lean else BUDGETS)
        for engine in made.values():
            engine.drop(str((trees / tree).resolve()))
    languages = Counter(case.get("lang", "en") for case in cases)
    return {
        f"{language} ({count})": {
            name: figures([row for row in found if row["lang"] == language]) for name, found in rows.items()
        }
        for language, count in languages.items()
    }


def _made(make: type, kept: dict[str, Opened], vectors: Remembering, folder: str, history: Commits | None) -> Any:
    if issubclass(make, Ours):
        engine = make(kept, vectors)
        engine.history = folder
        if history is not None:
            engine.commits = lambda repo: history  # type: ignore[method-assign]  # noqa: ARG005 - of any repository
        return engine
    return make(vectors) if make is PlainChroma else make()


def _chosen(cases: Sequence[Mapping[str, Any]], options: argparse.Namespace) -> list[Mapping[str, Any]]:
    """Return the cases of the languages and repositories asked for, `limit` of each."""
    languages, repos = options.lang.split(","), options.repos.split(",") if options.repos else []
    chosen, counts = [], Counter[tuple[str, str]]()
    for case in cases:
        language = case.get("lang", "en")
        if language in languages and (not repos or case["repo"] in repos):
            counts[case["repo"], language] += 1
            if not options.limit or counts[case["repo"], language] <= options.limit:
                chosen.append(case)
    return chosen


def _cases(options: argparse.Namespace) -> tuple[list[dict[str, Any]], Path, Commits | None]:
    if options.data:
        rows = [json.loads(line) for line in options.data.read_text("utf-8").splitlines()]
        return [{**row, "tree": f"{row['repo']}-{row['sdist_version']}"} for row in rows], options.trees, None
    repo = options.repo.resolve()
    commits = [commit for commit in Git(repo).log(limit=2000) if commit.files]
    newest, older = commits[:NEWEST], commits[NEWEST:]
    past = Commits([Commit(c.sha, c.time, c.message, tuple(c.files)) for c in older])
    return [case for commit in newest for case in _case(repo, commit)], repo.parent, past


def _case(repo: Path, commit: Any) -> list[dict[str, Any]]:
    """Return a commit as a question for the source files it changed; none if it changed too many or none."""
    targets = [
        p for p in commit.files if role_of(p, "python") == "source" and p.endswith(".py") and (repo / p).exists()
    ]
    if not 1 <= len(targets) <= MOST_FILES:
        return []
    case = {"repo": repo.name, "tree": repo.name, "query": commit.message, "target_files": targets}
    return [{**case, "target_symbols": []}]
