"""Tasks over a real repository, and the paired comparison of two strategies on them.

Every task asks for one symbol in words (its docstring's first sentence, its name taken out); the candidates are all
pieces of the repository's Python files plus a conversation. A strategy does well when the piece that holds the symbol
is in the prompt. Answers are not tuned: they are whatever the repository says.
"""

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

from maintainer.graph import ContextBuilder
from maintainer.state import ContextConfig, ContextPacket
from maintainer.tools.fakes import FixedClock
from maintainer.tools.tokens import open_counter

ROOT = Path(__file__).parent.parent
BUDGET = 3000
RESAMPLES = 10_000
_HISTORY = [("user", "hello"), ("assistant", "Hello. What shall I look at?")]


def compare(a: str, b: str, repo: Path, seed: int, most: int = 150) -> dict[str, Any]:
    """Return both strategies' means over the tasks, and the differences with 95% bootstrap intervals."""
    pieces, tasks = read(repo)
    random.Random(seed).shuffle(tasks)
    measured = {name: [measure(name, pieces, question, path) for question, path in tasks[:most]] for name in {a, b}}
    fields = ("answer in prompt", "over budget", "budget used", "distinct files")
    rows = {}
    for field in fields:
        one, two = [each[field] for each in measured[a]], [each[field] for each in measured[b]]
        rows[field] = {a: round(mean(one), 3), b: round(mean(two), 3), "b - a": interval(one, two, seed)}
    return {
        "repository": repo.name,
        "pieces": len(pieces),
        "tasks": len(measured[a]),
        "budget": BUDGET,
        "a": a,
        "b": b,
        "results": rows,
    }


def measure(strategy: str, pieces: list[ContextPacket], question: str, answer: str) -> dict[str, float]:
    builder = ContextBuilder(
        strategy=strategy,  # type: ignore[arg-type]
        config=ContextConfig(max_tokens=BUDGET),
        embedder=None,
        clock=FixedClock(),
    )
    text = builder.build(question, _HISTORY, "You look after this repository.", pieces)
    receipt = builder.receipt
    assert receipt is not None
    tokens = open_counter().count(text)
    files = set(re.findall(r"^# file: (\S+)", text, re.MULTILINE))
    return {
        "answer in prompt": float(answer in text),
        "over budget": float(tokens > BUDGET),
        "budget used": tokens / BUDGET,
        "distinct files": float(len(files)),
    }


def interval(one: list[float], two: list[float], seed: int) -> dict[str, float]:
    """Return the mean of the paired differences with its 95% interval (percentile bootstrap over tasks)."""
    differences = [right - left for left, right in zip(one, two, strict=True)]
    rng = random.Random(seed)
    size = len(differences)
    means = sorted(mean(rng.choices(differences, k=size)) for _ in range(RESAMPLES))
    return {
        "mean": round(mean(differences), 3),
        "low": round(means[int(0.025 * RESAMPLES)], 3),
        "high": round(means[int(0.975 * RESAMPLES)], 3),
    }


def read(repo: Path) -> tuple[list[ContextPacket], list[tuple[str, str]]]:
    """Return all pieces of a repository and the tasks: a question, and the text that must be in the prompt."""
    pieces, tasks = [], []
    for path in sorted(repo.rglob("*.py")):
        if any(part.startswith(".") for part in path.relative_to(repo).parts):
            continue
        try:
            source = path.read_text("utf-8")
            tree = ast.parse(source)
        except (SyntaxError, UnicodeDecodeError):
            continue
        lines = source.splitlines()
        for node, first, last in functions(tree):
            place = path.relative_to(repo).as_posix()
            doc = ast.get_docstring(node) or ""
            code = "\n".join(lines[first - 1 : last])
            body = code.replace(doc.split("\n")[0], "") if doc else code  # the question must not stand in its answer
            metadata = {"type": "code", "source": "code", "path": place, "lines": f"{first}-{last}"}
            pieces.append(ContextPacket(f"# file: {place}\n{body}", metadata=metadata))
            question = without_name(doc.split("\n")[0].split(". ")[0], node.name)
            if len(question.split()) >= 6:
                tasks.append((question, f"def {node.name}("))
    names = [answer for _, answer in tasks]
    return pieces, [(question, answer) for question, answer in tasks if names.count(answer) == 1]


def functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, int, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
            yield node, node.lineno, node.end_lineno


def without_name(sentence: str, name: str) -> str:
    """Return a sentence without the words of a name and without markup: otherwise the task would be a look-up."""
    parts = {part.lower() for part in re.findall(r"[A-Za-z]+", name)}
    words = [word for word in re.findall(r"\w+|[^\w\s`]", sentence) if word.lower() not in parts]
    return " ".join(words)
