"""Citations are found however they are written, and hold only when the file shows what they say."""

from pathlib import Path

import pytest
from maintainer.state.session import Citation
from maintainer.tools.citations import check_citations, marked
from maintainer.tools.places import Places

CART = "\n".join(["import os", "", "def total(items):", "    return sum(item.price for item in items)", *["# x"] * 16])


@pytest.fixture
def places(tmp_path: Path) -> Places:
    files = {
        "shop/cart.py": CART,
        "文档/设计.md": "# 设计\n购物车\n",
        "Makefile": "all:\n",
        "src/a-b.test.ts": "x\ny\n",
        "docs/my notes (v2).md": "one\ntwo\n",
        "notes.md": "only\n",
        "docs/old notes.md": "one\ntwo\n",
        "app/[slug]/page.tsx": "x\ny\n",
        "app/(shop)/cart.tsx": "x\ny\n",
        "src/Foo$Bar.java": "x\ny\n",
        "设计 文档/第一章.md": "一\n二\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return Places(tmp_path)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("see shop/cart.py:3", ("shop/cart.py", 3, 3)),
        ("see `shop/cart.py:3-4`.", ("shop/cart.py", 3, 4)),
        ("(./shop/cart.py:3–4)", ("shop/cart.py", 3, 4)),
        ("[cart](shop/cart.py#L3-L4)", ("shop/cart.py", 3, 4)),
        ("shop/cart.py:3:5: error", ("shop/cart.py", 3, 3)),
        ("`shop/cart.py` (lines 3-4)", ("shop/cart.py", 3, 4)),
        ("shop/cart.py, line 3", ("shop/cart.py", 3, 3)),
        ("shop/cart.py 第 3 行", ("shop/cart.py", 3, 3)),
        ("shop/cart.py第3到4行", ("shop/cart.py", 3, 4)),
        ("见shop/cart.py:3。", ("shop/cart.py", 3, 3)),
        ("文档/设计.md:2", ("文档/设计.md", 2, 2)),
        ("Makefile:1", ("Makefile", 1, 1)),
        ("src/a-b.test.ts:2", ("src/a-b.test.ts", 2, 2)),
        ("see docs/my notes (v2).md:2", ("docs/my notes (v2).md", 2, 2)),
        ("see `docs/my notes (v2).md:1-2` first", ("docs/my notes (v2).md", 1, 2)),
        ("(docs/old notes.md:2)", ("docs/old notes.md", 2, 2)),
        ("that is in `./docs/old notes.md` (line 2)", ("docs/old notes.md", 2, 2)),
        ("the page app/[slug]/page.tsx:2 does", ("app/[slug]/page.tsx", 2, 2)),
        ("**app/(shop)/cart.tsx:2**", ("app/(shop)/cart.tsx", 2, 2)),
        ("see src/Foo$Bar.java:2", ("src/Foo$Bar.java", 2, 2)),
        ("见「设计 文档/第一章.md:2」", ("设计 文档/第一章.md", 2, 2)),
    ],
)
def test_a_citation_is_found_however_it_is_written(places: Places, text: str, place: tuple[str, int, int]) -> None:
    (found,) = check_citations(text, places)
    assert ((found.path, found.line, found.end), found.problem) == (place, "")


@pytest.mark.parametrize(
    "text",
    [
        "http://localhost:8080",
        "https://example.com:443/x",
        "example.com:443",
        "at 12:30",
        "e.g.: 5",
        "v1.2:3",
        "a.py",
        "",
    ],
)
def test_what_only_looks_like_a_citation_is_none(places: Places, text: str) -> None:
    assert check_citations(text, places) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("shop/basket.py:3", "no such file: 'shop/basket.py'"),
        ("app/[slug]/notes.md:1", "no such file: 'app/[slug]/notes.md'"),
        ("docs/my notes (v2).md:3", "the file has 2 lines"),
        ("shop/cart.py:99", "the file has 20 lines"),
        ("shop/cart.py:18-25", "the file has 20 lines"),
        ("shop/cart.py:0", "lines 0-0 are no range"),
        ("shop/cart.py:4-3", "lines 4-3 are no range"),
        ("../../etc/passwd.txt:1", "outside the repository"),
        (".git/config.txt:1", "belongs to git"),
        ("`def totals(items)` (shop/cart.py:3)", "'def totals(items)' is not in the file"),
        ("`import os` at shop/cart.py:12", "'import os' stands at line 1"),
        ("shop/cart.py:3: `return product`", "'return product' is not in the file"),
        ("「没有的话」(文档/设计.md:2)", "'没有的话' is not in the file"),
    ],
)
def test_a_citation_that_does_not_hold_says_why(places: Places, text: str, problem: str) -> None:
    (found,) = check_citations(text, places)
    assert not found.valid
    assert problem in found.problem


@pytest.mark.parametrize(
    "text",
    [
        "`total(items)` in `shop/cart.py:3` adds prices",
        "The sum (`sum(item.price for item in items)`, shop/cart.py:4)",
        "shop/cart.py:3 - `def  total( items )`",
        "`total()` (shop/cart.py:3)",
        "Run `grep -n x` first. Then see shop/cart.py:3",
        "“购物车”(文档/设计.md:2)",
    ],
)
def test_a_quote_beside_a_citation_is_looked_for_near_its_lines(places: Places, text: str) -> None:
    assert [found.problem for found in check_citations(text, places)] == [""]


def test_a_place_cited_twice_is_listed_once_and_fails_if_it_fails_once(places: Places) -> None:
    found = check_citations("shop/cart.py:3 and `nowhere_to_be_found` (shop/cart.py:3)", places)
    assert [(each.line, each.valid) for each in found] == [(3, False)]


def test_answers_are_marked_only_where_a_citation_fails() -> None:
    good = Citation(path="a.py", line=3, end=3)
    bad = Citation(path="b.py", line=5, end=9, valid=False, problem="no such file: 'b.py'")
    assert marked("fine", [good], "en") == "fine"
    assert marked("fine\n", [good, bad], "zh").splitlines() == [
        "fine",
        "",
        "> 以下引用未能核实:",
        "> - b.py:5-9: no such file: 'b.py'",
    ]


@pytest.mark.parametrize("part", ["a/", "a-", "a.b", "`", "x.py:", "a", "第", "x.py:1 `", '"a'])
def test_a_hostile_answer_does_not_hang_the_check(places: Places, part: str) -> None:
    found = check_citations(part * 60_000, places)
    assert [each for each in found if each.valid] == []
