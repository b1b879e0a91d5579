import pytest
from maintainer.tools.code_index.question import Place, understand


def test_the_title_counts_more_than_the_rest() -> None:
    terms = understand("parser crash\n\nthe lexer is fine").terms
    assert terms["pars"] > terms["lexer"] > 0


def test_words_of_every_task_are_left_out_unless_nothing_else_is_said() -> None:
    assert set(understand("fix a bug in the parser").terms) >= {"pars"}
    assert "fix" not in understand("fix a bug in the parser").terms
    assert "fix" in understand("fix").terms


def test_words_of_many_tasks_weigh_less_in_both_languages() -> None:
    english, chinese = understand("support sessions in the cache"), understand("支持缓存里的会话")
    assert 0 < english.terms["support"] < english.terms["session"] == english.terms["cach"]
    weights = {thing.name: thing.weight for thing in chinese.things}
    assert 0 < weights["支持"] < weights["缓存"] == weights["会话"]


@pytest.mark.parametrize(
    ("text", "by_meaning"),
    [
        ("购物车的总价在哪里计算", True),
        ("修复 `Cart.total` 的舍入", True),
        ("When I come back after lunch I am always asked for my password again.", True),
        ("where do the docs explain retries", True),
        ("Fix rounding in Cart.total", False),
        ("Use sslcontext for the smtp connection", False),
        ("When I call `Cart.total()` it is not what it was before.", False),
    ],
)
def test_meaning_counts_where_code_has_other_words(text: str, by_meaning: bool) -> None:
    assert understand(text).by_meaning is by_meaning


def test_identifiers_weigh_more_than_their_parts() -> None:
    terms = understand("`get_user_name` fails").terms
    assert terms["=getusername"] > terms["user"]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("see src/app/views.py:12 please", [Place("src/app/views.py", 12)]),
        ('  File "/home/me/shop/cart.py", line 7, in total\n', [Place("/home/me/shop/cart.py", 7)]),
        ("at total (shop/cart.js:7:12)", [Place("shop/cart.js", 7)]),
        ("  at com.shop.Cart.total(Cart.java:42)", [Place("Cart.java", 42)]),
        ("main.go:33 +0x1d", [Place("main.go", 33)]),
        ("nothing named here, e.g. v1.2", []),
        ("在 settings.py 里", [Place("settings.py")]),
    ],
)
def test_paths_and_stack_frames(text: str, places: list[Place]) -> None:
    found = understand(text).places
    assert [place for place in found if place in places] == places
    assert bool(found) == bool(places)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("where are the tests for the cart", {"test"}),
        ("购物车的测试用例在哪里", {"test"}),
        ("what does the README say", {"doc"}),
        ("why is the cart empty\n\nadded tests and docs", set()),
    ],
)
def test_what_kind_of_file_is_asked_for(text: str, about: set[str]) -> None:
    assert understand(text).about == about


def test_chinese_is_searched_in_english_with_the_same_weights() -> None:
    chinese, english = understand("数据库连接超时").words(), understand("database connection timeout").words()
    for term in ("databas", "connection", "timeout"):
        assert chinese[term] == pytest.approx(english[term])


@pytest.mark.parametrize("text", ["", " ", "\n\n", "的", "?!", "\x00", "a" * 100_000, "( [ { \\ .*+"])
def test_any_question_is_understood(text: str) -> None:
    understand(text)
