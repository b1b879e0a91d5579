"""The house of the analysers has floors: what stands on one imports only what stands below it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from maintainer.tools.quality import engine

HOUSE = Path(engine.__file__).parent
FLOORS = (
    *("facts", "syntax"),
    *("risks/requests", "risks/protections", "risks/slips", "risks/other_languages", "risks"),
    *("reading/queries", "reading/command_lines", "reading/python", "reading/other_languages", "reading"),
    "known",
    *("judges/bugs", "judges/dead", "judges/dependencies", "judges/design", "judges/documents", "judges/lint"),
    *("judges/untested", "judges"),
    ".",
)
"""Folders from the ground up."""
SUBJECTS = [folder for folder in FLOORS if folder.startswith("judges/")]
"""Subjects of judges know nothing of each other."""
MOST_MODULES = 20


def imported(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield each module of a folder with the folder of every module of the house that it imports."""
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.ImportFrom) and node.level):
                continue
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            target = base if base.is_dir() else base.parent
            if target.is_relative_to(HOUSE):
                yield path, target.relative_to(HOUSE).as_posix()


def test_every_folder_has_its_floor_and_says_what_is_in_it() -> None:
    folders = {path.parent.relative_to(HOUSE).as_posix(): path for path in HOUSE.rglob("__init__.py")}
    assert set(folders) == set(FLOORS)
    assert all(ast.get_docstring(ast.parse(path.read_text("utf-8"))) for path in folders.values())


@pytest.mark.parametrize("folder", FLOORS)
def test_a_floor_imports_only_what_stands_below_it(folder: str) -> None:
    allowed = set(FLOORS[: FLOORS.index(folder) + 1])
    if folder in SUBJECTS:
        allowed -= set(SUBJECTS) - {folder}
    for path, target in imported(HOUSE / folder):
        assert target in allowed, f"{path.relative_to(HOUSE)} imports from {target}"


@pytest.mark.parametrize("folder", FLOORS)
def test_a_folder_can_be_taken_in_at_a_glance(folder: str) -> None:
    assert len(list((HOUSE / folder).glob("*.py"))) <= MOST_MODULES
