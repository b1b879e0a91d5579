"""Bytes become text that can be read and does nothing to a screen."""

import pytest
from maintainer.tools.terminal.clean import is_binary, to_text, visible


def text(*chunks: bytes, limit: int = 1 << 20) -> str:
    return to_text(list(chunks), limit)[0]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"plain\n", "plain\n"),
        ("说明\n".encode(), "说明\n"),
        ("待办: 部署\n".encode("gbk"), "待办: 部署\n"),
        ("UTF-8 说\n".encode() + "国标\n".encode("gb18030"), "UTF-8 说\n国标\n"),
        ("中文\n".encode("utf-16"), "中文\n"),
        (b"\xfe\xff" + "big\n".encode("utf-16-be"), "big\n"),
        (b"caf\xe9\n", "caf\ufffd\n"),
        (b"a\xff\xfeb\n", "a\ufffd\ufffdb\n"),
        (b"\x1b]0;t\x07", "\\x1b]0;t\\x07"),
        (b"a\r\nb\rc", "a\r\nb\\x0dc"),
        ("\x9b31m\x85".encode(), "\\x9b31m\\x85"),
        ("\u2066x\u2069\u200b\u2028".encode(), "\\u2066x\\u2069\\u200b\\u2028"),
        ("👩\u200d👧 नि".encode(), "👩\u200d👧 नि"),  # joiners are part of writing
        (b"", ""),
    ],
)
def test_text_is_read_and_made_harmless(data: bytes, expected: str) -> None:
    assert text(data) == expected


def test_a_character_is_not_broken_between_chunks() -> None:
    data = "说明" * 300_000  # 1.8 MB in one line
    raw = data.encode()
    assert text(*(raw[at : at + 65_521] for at in range(0, len(raw), 65_521)), limit=1 << 22) == data


def test_a_line_end_is_not_broken_between_chunks() -> None:
    assert text(b"a\r", b"\nb\r\n") == "a\r\nb\r\n"


@pytest.mark.parametrize("limit", [0, 1, 5, 6, 7, 100])
def test_the_limit_counts_what_is_shown(limit: int) -> None:
    shown, cut = to_text(["说明\0".encode()], limit)
    assert len(shown.encode()) <= limit
    assert cut == (limit < 10)


def test_made_visible_twice_is_made_visible_once() -> None:
    assert visible(visible("\x1b\u202e")) == visible("\x1b\u202e")


@pytest.mark.parametrize(
    ("data", "binary"),
    [
        (bytes(range(256)) * 8, True),
        (b"\x7fELF\x02\x01\x01" + b"\0" * 500, True),
        (b"def x():\n    return '\\x00'\n" * 20, False),
        (b"src/app/main.py\0src/app/util.py\0", False),
        ("中文".encode("utf-16"), False),
        ("中文".encode("gbk"), False),
        (b"", False),
    ],
)
def test_binary_is_told_from_text(data: bytes, binary: bool) -> None:
    assert is_binary([data]) == binary
