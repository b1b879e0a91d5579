import subprocess
import sys
from pathlib import Path

import pytest
from maintainer.graph import builder
from maintainer.tools.notes.context import NotesSource
from maintainer.tools.rag import source as code
from maintainer.tools.rag.source import CodeSource
from maintainer.tools.recall import AnchorSource, LedgerSource, PhaseSource, RecallSource

PATIENCE_S = 120.0
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def patient_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a turn finds must not depend on how busy the machine is: its sources get more than their few seconds."""
    for source in (AnchorSource, CodeSource, LedgerSource, PhaseSource, RecallSource):
        monkeypatch.setattr(source, "timeout_s", PATIENCE_S)
    monkeypatch.setitem(NotesSource.__init__.__kwdefaults__, "timeout_s", PATIENCE_S)
    for name in ("MEMORY_TIMEOUT_S", "RAG_TIMEOUT_S"):
        monkeypatch.setattr(builder, name, PATIENCE_S)
    for name in ("_WAIT_S", "_FIRST_WAIT_S"):
        monkeypatch.setattr(code, name, PATIENCE_S)


@pytest.fixture(scope="session")
def shop_origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample shop with its git history, made once."""
    folder = tmp_path_factory.mktemp("shop") / "shop"
    subprocess.run([sys.executable, EXAMPLES / "make_shop_history.py", folder], check=True, capture_output=True)
    return folder


@pytest.fixture
def shop(shop_origin: Path, tmp_path: Path) -> Path:
    """A copy of the sample shop of the test's own."""
    folder = tmp_path / "shop"
    subprocess.run(["cp", "-r", shop_origin, folder], check=True)
    return folder
