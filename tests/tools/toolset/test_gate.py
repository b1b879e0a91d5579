"""Nothing a tool prints reaches a model over the cap, in the clear, or for good lost."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from maintainer.tools.archive import Archive
from maintainer.tools.secrets import mask
from maintainer.tools.tokens import open_counter
from maintainer.tools.toolset.gate import Gate

COUNTER = open_counter()


class Kept:
    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def put(self, text: str) -> str:
        handle = f"{len(self.texts):016x}"
        self.texts[handle] = text
        return handle


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-01 ERROR timeout after 30s\n" * 30_000,
        '{"key":"value","list":[1,2,3]}' * 30_000,
        "日志:连接超时,重试第三次。\n" * 30_000,
        "x" * 1_000_000,
        " " * 1_000_000,
        "\n" * 1_000_000,
    ],
    ids=["log", "json", "chinese", "one line", "spaces", "empty lines"],
)
def test_a_megabyte_becomes_head_tail_and_a_handle_to_the_whole(text: str, tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    seen, handle = Gate(COUNTER, archive, mask, max_tokens=500).admit(text)
    assert COUNTER.count(seen) <= 500
    assert archive.get(handle) == text
    assert f"expand(handle='{handle}')" in seen
    assert seen.startswith(text[:100])
    assert seen.endswith(text[-100:])
    archive.close()


@given(st.text(max_size=3000), st.integers(100, 400))
@settings(max_examples=60, deadline=None)
def test_no_text_gets_past_the_cap_and_short_ones_pass_whole(text: str, cap: int) -> None:
    kept = Kept()
    seen, handle = Gate(COUNTER, kept, lambda given: given, max_tokens=cap).admit(text)
    assert COUNTER.count(seen) <= cap
    assert kept.texts[handle] == text if handle else seen == (text or "[no output]")


def test_secrets_are_masked_before_anything_is_kept_or_shown() -> None:
    kept = Kept()
    key = "AKIA" + "IOSFODNN7ABCDEFG"
    seen, handle = Gate(COUNTER, kept, mask, max_tokens=100).admit(f"aws_access_key_id = {key}\n" + "log line\n" * 500)
    assert handle
    assert key not in seen + kept.texts[handle]
