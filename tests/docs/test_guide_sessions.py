"""The guide to sessions runs."""

import re
from pathlib import Path

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guide" / "sessions.md"


def test_the_examples_of_the_guide_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.S)
    assert blocks
    exec(compile("\n".join(blocks), str(GUIDE), "exec"), {"__name__": "guide"})
