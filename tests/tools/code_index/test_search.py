"""Questions to an index: the right file, the right lines, within the budget."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from maintainer.state.errors import RepositoryError
from maintainer.tools.code_index.evidence import Candidate, choose_lines, excerpts, spans_of
from maintainer.tools.code_index.index import CodeIndex
from maintainer.tools.code_index.question import understand
from maintainer.tools.code_index.ranking import Among, Weights
from maintainer.tools.code_index.rows import Piece
from maintainer.tools.code_index.worth import relevance, worth
from maintainer.tools.tokens import TokenCounter, open_counter

Make = Callable[..., CodeIndex]


def found(index: CodeIndex, question: str, counter: TokenCounter, **options: object) -> list[str]:
    return [excerpt.path for excerpt in index.evidence(question, 2000, counter, **options)]


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Where is the shopping cart?", "shop/cart.py"),
        ("购物车 cart 的 price 在哪里计算", "shop/cart.py"),
        ("the confirmation mail times out", "shop/mail.py"),
        ("RATE_LIMIT", "shop/prices.py"),
        ("rate limit", "shop/prices.py"),
        ("priceOf", "shop/prices.py"),
        ("KeyError: no price for apple", "shop/prices.py"),
        ("重试 超时", "shop/mail.py"),
        ('Traceback\n  File "/srv/shop/prices.py", line 8, in price_of\n', "shop/prices.py"),
        ("what does shop/mail.py do", "shop/mail.py"),
        ("tests for the cart total", "tests/test_cart.py"),
        ("what does the README say about cents", "README.md"),
    ],
)
def test_the_right_file_comes_first(
    repo: Path, make_index: Make, counter: TokenCounter, question: str, path: str
) -> None:
    index = make_index(repo)
    index.refresh()
    assert found(index, question, counter)[0] == path


@pytest.mark.parametrize(("question", "moves"), [("邮件 购物车", True), ("mail cart", False)])
def test_vectors_move_only_what_is_asked_in_other_words(
    repo: Path, make_index: Make, question: str, moves: bool
) -> None:
    index = make_index(repo)
    index.refresh()
    with index.store.reading():
        far, *_, near = index.store.keyed(["source"])
        _, plain = index.rank(understand(question))
        _, helped = index.rank(understand(question), similar={far: 0.1, near: 0.9})
    assert ("meaning" in helped.parts, bool((plain.scores != helped.scores).any())) == (moves, moves)


def test_a_stack_frame_shows_its_lines(repo: Path, make_index: Make, counter: TokenCounter) -> None:
    index = make_index(repo)
    index.refresh()
    (first, *_) = index.evidence('  File "shop/cart.py", line 14, in add_item\nValueError: boom', 300, counter)
    assert any(start <= 14 <= end for start, end in first.spans)


def test_what_is_unknown_finds_nothing(repo: Path, make_index: Make, counter: TokenCounter) -> None:
    index = make_index(repo)
    index.refresh()
    assert found(index, "xylophone quartz", counter) == []
    assert found(index, "", counter) == []


def test_relevance_tells_a_full_answer_from_a_chance_word(repo: Path, make_index: Make, counter: TokenCounter) -> None:
    index = make_index(repo)
    index.refresh()
    good = index.evidence("send confirmation of an order", 1000, counter)[0].relevance
    poor = index.evidence("weather forecast of the mountains server", 1000, counter)[0].relevance
    assert 0.0 <= poor < 0.5 < good <= 1.0


def test_only_the_asked_roles_and_languages(repo: Path, make_index: Make, counter: TokenCounter) -> None:
    index = make_index(repo)
    (repo / "shop/cart.js").write_text("function total() { return cart.total }\n")
    index.refresh()
    assert found(index, "cart total", counter, among=Among(languages=frozenset({"javascript"}))) == ["shop/cart.js"]
    assert found(index, "cart total", counter, among=Among(roles=frozenset({"test"}))) == ["tests/test_cart.py"]


@pytest.mark.parametrize("tokens", [0, 1, 10, 40, 100, 300, 1000])
def test_evidence_never_exceeds_its_tokens(repo: Path, make_index: Make, counter: TokenCounter, tokens: int) -> None:
    index = make_index(repo)
    index.refresh()
    excerpts_ = index.evidence("cart total price confirmation server order", tokens, counter)
    text = "\n".join(f"{excerpt.place}\n{excerpt.text}" for excerpt in excerpts_)
    assert counter.count(text) <= tokens
    assert sum(excerpt.tokens for excerpt in excerpts_) <= tokens


@settings(max_examples=60, deadline=None)
@given(
    lines=st.lists(st.sampled_from(["x = 1", "", "def f(cart):", "    total(cart)", "中文 字符", "🙂"]), max_size=120),
    pieces=st.lists(st.tuples(st.integers(1, 120), st.integers(1, 40)), max_size=12),
    tokens=st.integers(0, 400),
)
def test_excerpts_show_real_lines_within_the_ceiling(
    lines: list[str], pieces: list[tuple[int, int]], tokens: int
) -> None:
    counter = open_counter()
    candidates = [
        Candidate(f"f{start % 3}.py", Piece(i, start % 3, start, start + size, "function", f"n{i}"), 1.0)
        for i, (start, size) in enumerate(pieces)
        if start <= len(lines)
    ]
    sought = worth(understand("cart"), {"cart": 1}, 10)
    files = list(dict.fromkeys(candidate.path for candidate in candidates))
    found = excerpts(candidates, files, lambda _: lines, sought, tokens, counter)
    assert counter.count("\n".join(f"{excerpt.place}\n{excerpt.text}" for excerpt in found)) <= tokens
    assert len({excerpt.path for excerpt in found}) == len(found)
    for excerpt in found:
        shown = [line for line in excerpt.text.split("\n") if not line.startswith("… ")]
        assert shown == [lines[n - 1] for start, end in excerpt.spans for n in range(start, end + 1)]


def test_long_pieces_are_cut_to_their_head_and_what_matches() -> None:
    lines = ["def f():", '    """Doc."""', *["    x = 1"] * 60, "    return frobnicate(x)", *["    y = 2"] * 40]
    chosen = choose_lines(lines, Piece(1, 1, 1, len(lines), "function", "f"), {"frobnicat": 3.0, "frobnic": 3.0}, 10)
    assert len(chosen) == 10
    assert {1, 2, 63} <= set(chosen)


def test_the_names_of_an_excerpt_stand_in_the_order_of_its_lines() -> None:
    lines = [f"def f{n}(): cart" if n % 10 == 1 else f"    x{n} = {n}" for n in range(1, 41)]
    candidates = [Candidate("a.py", Piece(n, 1, n, n + 2, "function", f"f{n}"), 1.0) for n in (31, 1, 11)]
    (excerpt,) = excerpts(candidates, ["a.py"], lambda _: lines, worth(understand("cart"), {}, 10), 400, open_counter())
    assert excerpt.symbols == ("f1", "f11", "f31")
    assert excerpt.lines == "1-3,11-13,31-33"


def test_files_that_do_not_fit_are_glimpsed_at_in_the_order_of_files() -> None:
    lines = [f"value_{n} = cart[{n}]" for n in range(200)]
    candidates = [Candidate(f"{name}.py", Piece(0, 0, 1, 200, "module", ""), 1.0) for name in "abcdef"]
    sought = worth(understand("cart"), {"cart": 6}, 10)
    files = [f"{name}.py" for name in "afedcb"]
    shown = [each.path for each in excerpts(candidates, files, lambda _: lines, sought, 520, open_counter())]
    assert shown[:3] == ["a.py", "b.py", "f.py"]


def test_an_answer_in_any_of_a_words_translations_is_whole() -> None:
    sought = worth(understand("缓存超时"), {"缓存": 3, "超时": 2}, 100)
    assert relevance("cache timeout", sought, 1.0) == pytest.approx(1.0)
    assert relevance("cache", sought, 1.0) < 0.9
    assert relevance("nothing", sought, 1.0) == 0.0


def test_hints_are_not_asked_for_in_an_answer() -> None:
    told = understand("I cannot sign in to my page any more")
    assert {"login", "auth"} <= told.hints.keys()
    sought = worth(told, {"sign": 1, "page": 4, "login": 3}, 100)
    assert sought.lines["login"] > 0
    assert not any("login" in way for ways, _ in sought.said for way in ways)


def test_spans() -> None:
    assert spans_of([1, 2, 3, 7, 9, 10]) == ((1, 3), (7, 7), (9, 10))
    assert spans_of([]) == ()


@dataclass
class FakeCommit:
    sha: str
    message: str
    files: Sequence[str]
    time: datetime = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass
class FakeHistory:
    """Commits in memory; the newest first, as git tells them."""

    commits: list[FakeCommit] = field(default_factory=list)

    def head(self) -> str:
        return self.commits[0].sha if self.commits else ""

    def log(self, limit: int = 100, since: str = "") -> list[FakeCommit]:
        shas = [commit.sha for commit in self.commits]
        if since and since not in shas:
            raise RepositoryError(f"{since} is no commit of this repository")
        return self.commits[: shas.index(since) if since else None][:limit]


def test_similar_past_commits_point_at_their_files(repo: Path, make_index: Make, counter: TokenCounter) -> None:
    history = FakeHistory([FakeCommit("a1", "Handle voucher codes at checkout", ["shop/prices.py"])])
    index = make_index(repo, commits=history)
    assert index.refresh().commits == 1
    assert found(index, "voucher codes are ignored", counter)[:1] == ["shop/prices.py"]


def test_new_commits_are_added_and_a_rewritten_history_read_afresh(repo: Path, make_index: Make) -> None:
    history = FakeHistory([FakeCommit("a1", "one", ["shop/cart.py"])])
    index = make_index(repo, commits=history)
    assert index.refresh().commits == 1
    history.commits.insert(0, FakeCommit("a2", "two", ["shop/cart.py"]))
    assert index.refresh().commits == 1
    assert index.refresh().commits == 0
    history.commits = [FakeCommit("b1", "three", ["shop/cart.py"])]
    assert index.refresh().commits == 1
    assert index.store.counts()["commits"] == 1


def test_two_that_learn_at_once_learn_each_commit_once(repo: Path, make_index: Make, counter: TokenCounter) -> None:
    history = FakeHistory([FakeCommit("a1", "voucher", ["shop/prices.py"])])
    other = make_index(repo, commits=history)

    class Slow(FakeHistory):
        def log(self, limit: int = 100, since: str = "") -> list[FakeCommit]:
            other.refresh()  # while this one is still reading
            return super().log(limit, since)

    index = make_index(repo, commits=Slow(history.commits))
    assert index.refresh().commits == 0
    assert index.store.counts()["commits"] == 1
    assert found(index, "voucher", counter)[:1] == ["shop/prices.py"]


def test_a_history_that_cannot_be_read_costs_its_signal_only(repo: Path, make_index: Make) -> None:
    class Broken(FakeHistory):
        def head(self) -> str:
            raise RepositoryError("git is broken")

    done = make_index(repo, commits=Broken()).refresh()
    assert done.indexed == 5
    assert "git is broken" in done.history_problem


def test_files_changed_together_follow_each_other(repo: Path, make_index: Make, counter: TokenCounter) -> None:
    pairs = [FakeCommit(f"c{i}", f"change {i}", ["shop/mail.py", "old/place/prices.py"]) for i in range(5)]
    (repo / "place").mkdir()
    (repo / "place/prices.py").write_text("x = 1\n")
    with_it = make_index(repo, commits=FakeHistory(pairs))
    with_it.refresh()
    question = "send confirmation"
    with with_it.store.reading():
        from maintainer.tools.code_index.question import understand

        view, ranking = with_it.rank(understand(question))
    scores = {view.files[place].path: float(ranking.parts["together"][place]) for place in range(len(view.files))}
    assert scores["place/prices.py"] > 0
    assert scores["README.md"] == 0


def test_behind_the_first_five_files_what_goes_with_them_comes_sooner(tmp_path: Path, make_index: Make) -> None:
    files = {f"post/way{n}.py": f"def send{n}(parcel):\n    parcel(parcel)\n" for n in range(5)}
    files["post/a_label.py"] = "def label(name):\n    parcel = name.strip()\n    return parcel\n"
    files["post/b_rates.py"] = "def rates(name):\n" + "    name = name.strip()\n" * 9 + "    return parcel\n"
    commits = [FakeCommit(f"c{n}", "tidy", ["post/way0.py", "post/b_rates.py"]) for n in range(3)]
    (tmp_path / "shop/post").mkdir(parents=True)
    for path, text in files.items():
        (tmp_path / "shop" / path).write_text(text)
    index = make_index(tmp_path / "shop", commits=FakeHistory(commits))
    index.refresh()

    def ranked(breadth: float) -> list[str]:
        index.weights = Weights(coverage=0.0, together=0.02, breadth=breadth)
        with index.store.reading():
            view, ranking = index.rank(understand("send the parcel"))
            return [view.files[place].path for place in ranking.files]

    near, far = ranked(20.0), ranked(0.0)
    assert near[:5] == far[:5]
    assert near.index("post/b_rates.py") < far.index("post/b_rates.py")


def test_a_signal_without_weight_is_without_effect(repo: Path, make_index: Make, counter: TokenCounter) -> None:
    history = FakeHistory([FakeCommit("a1", "voucher", ["shop/prices.py"])])
    index = make_index(repo, commits=history, weights=Weights(history=0.0, together=0.0))
    index.refresh()
    assert found(index, "voucher", counter) == []
