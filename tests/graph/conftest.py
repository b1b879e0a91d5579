import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


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
