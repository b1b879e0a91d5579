"""The sample application and its ground truth fit together."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SHOP = EXAMPLES / "shop"
TRUTH = json.loads((EXAMPLES / "shop_truth.json").read_text("utf-8"))["debt"]
PLACES = [place for debt in TRUTH for place in (debt, debt.get("other")) if place]


def history_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_shop_history", EXAMPLES / "make_shop_history.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place['path']}:{place['lines'][0]}")
def test_the_truth_names_lines_that_exist(place: dict[str, list[int]]) -> None:
    lines = (SHOP / str(place["path"])).read_text("utf-8").splitlines()
    first, last = place["lines"]
    assert 1 <= first <= last <= len(lines)
    assert lines[first - 1].strip()


@pytest.mark.parametrize(
    ("kind", "pattern"),
    [
        ("todo", r"TODO|FIXME|HACK|XXX"),
        ("complex_function", r"def \w+\("),
        ("many_parameters", r"def \w+\("),
        ("layering", r"import"),
        ("import_cycle", r"import"),
        ("secret", r"_KEY ="),
        ("query_in_loop", r"\.query\."),
        ("undeclared_dependency", r"import"),
    ],
)
def test_the_truth_points_at_what_it_speaks_of(kind: str, pattern: str) -> None:
    of_kind = [debt for debt in TRUTH if debt["kind"] == kind]
    assert of_kind
    for debt in of_kind:
        first = (SHOP / debt["path"]).read_text("utf-8").splitlines()[debt["lines"][0] - 1]
        assert re.search(pattern, first), debt


def test_the_shop_is_python_that_compiles() -> None:
    files = sorted(SHOP.rglob("*.py"))
    assert len(files) > 50
    for path in files:
        compile(path.read_text("utf-8"), str(path), "exec")


def test_the_history_is_the_same_every_time_and_ends_at_the_shop(tmp_path: Path) -> None:
    maker = history_maker()
    one, other = maker.make(tmp_path / "one"), maker.make(tmp_path / "other")

    def git(folder: Path, *args: str) -> str:
        return subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, text=True).stdout

    assert git(one, "rev-parse", "HEAD") == git(other, "rev-parse", "HEAD")
    assert len(git(one, "log", "--format=%H").split()) > 25
    assert len(set(git(one, "log", "--format=%an").splitlines())) == 3
    for path in git(one, "ls-files").split():
        assert (one / path).read_text("utf-8") == (SHOP / path).read_text("utf-8")


def test_the_history_is_not_made_in_a_folder_with_something_in_it(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(FileExistsError, match="not empty"):
        history_maker().make(tmp_path)


def test_the_history_maker_is_a_command(tmp_path: Path) -> None:
    script = EXAMPLES / "make_shop_history.py"
    assert subprocess.run([sys.executable, script], capture_output=True).returncode == 2
