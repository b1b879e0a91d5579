"""Every notebook runs from its first cell to its last, as it is."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    code = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=path.parent, capture_output=True, text=True, encoding="utf-8", timeout=180
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert all(cell["outputs"] == [] for cell in cells if cell["cell_type"] == "code"), (
        "clear the outputs before a commit"
    )


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS][:3] == ["01_first_run", "02_step_through", "03_resume"]
