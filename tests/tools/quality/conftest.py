"""Small repositories written by each test."""

from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.state.report import Finding
from maintainer.tools.fakes import FixedClock
from maintainer.tools.quality.engine import Quality


@pytest.fixture
def write(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Return a function that writes files below `tmp_path/repo` and returns the folder."""

    def writing(files: dict[str, str]) -> Path:
        repo = tmp_path / "repo"
        for path, text in files.items():
            (repo / path).parent.mkdir(parents=True, exist_ok=True)
            (repo / path).write_text(text, "utf-8")
        return repo

    return writing


@pytest.fixture
def found(write: Callable[[dict[str, str]], Path]) -> Callable[..., list[Finding]]:
    """Return a function that analyses files and returns the findings of some kinds."""

    def finding(files: dict[str, str], *kinds: str) -> list[Finding]:
        quality = Quality(write(files), None, clock=FixedClock())
        try:
            return [each for each in quality.analyze().findings if not kinds or each.kind in kinds]
        finally:
            quality.close()

    return finding
