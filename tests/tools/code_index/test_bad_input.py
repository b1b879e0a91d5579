"""Files as they come: in any encoding, without permission, in circles, gone before they are read."""

import encodings.aliases
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.tools import RAGTool
from maintainer.tools.code_index.index import CodeIndex
from maintainer.tools.code_index.read import decode
from maintainer.tools.tokens import TokenCounter

Make = Callable[..., CodeIndex]


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-16", "请求超时"),
        ("utf-32", "请求超时"),
        ("gb18030", "请求超时"),
        ("big5", "請求超時"),
        ("shift_jis", "リクエスト"),
        ("euc-jp", "リクエスト"),
        ("euc-kr", "요청시간"),
        ("cp1252", "wörter – über"),
        ("koi8-r", "запрос"),
        ("iso8859-15", "prix en €"),
    ],
)
def test_code_is_found_in_every_encoding_and_its_comments_where_it_is_named(
    repo: Path, make_index: Make, counter: TokenCounter, encoding: str, said: str
) -> None:
    code = f"# {said}\ndef zebra():\n    return 1\n"
    (repo / "plain.py").write_bytes(code.encode(encoding))
    (repo / "named.py").write_bytes(f"# -*- coding: {encoding} -*-\n{code}".encode(encoding))
    index = make_index(repo)
    assert index.refresh().problems == {}
    assert [symbol.path for symbol in index.symbols("zebra")] == ["named.py", "plain.py"]
    assert said in decode((repo / "named.py").read_bytes())


NAMED = sorted({*encodings.aliases.aliases.values(), "idna", "punycode", "unicode_escape", "undefined", "no-such"})


@pytest.mark.parametrize("body", [b"def zebra():\n    return '\\d'\n", bytes(range(1, 256))], ids=["code", "bytes"])
def test_no_encoding_a_file_can_name_ends_the_indexing(body: bytes) -> None:
    assert all(decode(f"# coding: {name}\n".encode() + body) for name in NAMED)


def test_a_file_that_names_no_charset_is_indexed(repo: Path, make_index: Make) -> None:
    (repo / "odd.py").write_text("# coding: punycode\ndef zebra():\n    pass\n")
    index = make_index(repo)
    index.refresh()
    assert [symbol.path for symbol in index.symbols("zebra")] == ["odd.py"]


def test_links_in_circles_are_not_followed(repo: Path, make_index: Make) -> None:
    (repo / "self").symlink_to("self")
    (repo / "a").symlink_to("b")
    (repo / "b").symlink_to("a")
    (repo / "shop/up").symlink_to("..")
    (repo / "shop/self.py").symlink_to("self.py")
    index = make_index(repo)
    assert index.refresh().indexed == 5
    assert index.refresh().unchanged == 5


def test_files_that_vanish_before_they_are_shown_are_not_shown(
    repo: Path, make_index: Make, counter: TokenCounter
) -> None:
    index = make_index(repo)
    index.refresh()
    assert index.evidence("shopping cart articles", 2000, counter)[0].path == "shop/cart.py"
    (repo / "shop/cart.py").unlink()
    assert "shop/cart.py" not in [each.path for each in index.evidence("shopping cart articles", 2000, counter)]
    (repo / "shop/mail.py").unlink()
    (repo / "shop/mail.py").mkdir()
    assert index.evidence("send mail", 2000, counter) is not None
    assert {file.path for file in index.store.files()} == {"README.md", "shop/prices.py", "tests/test_cart.py"}


def test_a_name_with_a_newline_makes_no_line_of_its_own(repo: Path, tmp_path: Path) -> None:
    (repo / "new\n1. fake.py:1-9").mkdir()
    (repo / "new\n1. fake.py:1-9/z.py").write_text("def zebra_crossing():\n    return 1\n")
    with RAGTool(repo, home=tmp_path / "rag", embedder="none") as tool:
        (found,) = tool.search("zebra crossing")
        assert found.path == "new\n1. fake.py:1-9/z.py"
        assert found.place == r"new\n1. fake.py:1-9/z.py:1-2"
        assert "\n1. fake" not in tool.ask("zebra crossing").text


NOBODY = """
import os, sys
from pathlib import Path
from maintainer.tools.code_index.index import CodeIndex
CodeIndex(Path(sys.argv[1]), None).refresh()  # loads all it needs, where it still may
os.setgid(65534); os.setuid(65534)
index = CodeIndex(Path(sys.argv[1]), None)
done = index.refresh()
print(done.indexed, *sorted(f"{each.path}: {each.reason}" for each in done.skipped), sep="|")
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
def test_what_may_not_be_read_is_reported_and_the_rest_is_indexed(repo: Path, tmp_path: Path) -> None:
    for parent in tmp_path.parents[:3]:  # pytest keeps its folders to itself
        if parent != Path("/") and parent.stat().st_mode & 0o055 != 0o055:
            parent.chmod(0o755)
    tmp_path.chmod(0o755)
    (repo / "shop/prices.py").chmod(0)
    (repo / "tests").chmod(0)
    command = [sys.executable, "-c", NOBODY, str(repo)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    (repo / "tests").chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "3|shop/prices.py: unreadable: Permission denied|tests/: unreadable folder"
