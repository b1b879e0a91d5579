"""Notes in comments without a keyword, and comments that are none."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]


@pytest.mark.parametrize(
    "comment",
    [
        "reviews stay with the old card until we know whether anybody wants them moved",
        "their clock is wrong; only until the new ones are out, summer 2025",
        "Temporary, until the register takes XML",
        "temporarily disabled",
        "the first depot is good enough for now",
        "remove this once everybody has the new app",
        "can be removed as soon as the old till is gone",
        "quick and dirty",
        "not implemented yet",
        "not sure whether this is still needed",
        "TBD: who pays the postage",
        "valid until 2024-03",
        "待办：结转的规则还没定",
        "待定：谁付邮费",
        "分量暂时按去年的八成，等新厨房验收以后再改回来",
        "先写死，以后再说",
        "临时方案",
        "等新系统上线以后再删",
        "有空再优化",
        "保留到 2024 年 3 月",
    ],
)
def test_a_comment_that_says_the_code_is_not_to_stay_is_a_note(comment: str, found: Found) -> None:
    [note] = found({"app.py": f"import os\n\n# {comment}\nprint(os)\n"}, "todo")
    assert note.place.line == 3


@pytest.mark.parametrize(
    "comment",
    [
        "written to a temporary file first",
        "a temporary table holds the rows until the transfer is finished",
        "keep reading until we have enough bytes",
        "keep the lock until the job is done",
        "a member can be deleted once they have paid",
        "the row may be removed before the update",
        "an order that is not yet paid",
        "until 2019 the codes were shorter",
        "Copyright 2019-2024",
        "valid until 2099-01",
        "new rows get the rate of 2024",
        "服务暂时不可用时返回 503",
        "先扣款，之后再发货",
        "等事务提交以后再发邮件",
        "待处理的订单",
        "临时文件",
        "到 2099 年为止有效",
    ],
)
def test_what_speaks_of_the_running_program_is_none(comment: str, found: Found) -> None:
    assert not found({"app.py": f"import os\n\n# {comment}\nprint(os)\n"}, "todo")


def test_a_note_whose_day_is_over_counts_more(found: Found) -> None:
    late, open_ = found({"app.py": "a = 1  # for now, until spring 2020\n\nb = 2  # for now\n"}, "todo")
    assert (late.why, late.severity) == ("overdue_todo", "low")
    assert (open_.why, open_.severity) == ("todo", "info")


def test_a_note_with_a_keyword_is_told_once_and_a_string_is_none(found: Found) -> None:
    assert len(found({"app.py": "# TODO: remove this\n# once it is out, for now it stays\n"}, "todo")) == 1
    assert not found({"app.py": 'TEXT = "see # for now"\n'}, "todo")
    assert not found({"tests/test_app.py": "# good enough for now\n"}, "todo")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("tests/test_pay.py", '@skip("fails when the clocks change, somebody has to look into it")'),
        ("tests/test_pay.py", '@pytest.mark.skip(reason="flaky since the move")'),
        ("tests/test_pay.py", '@pytest.mark.xfail(reason="rounding is wrong, see #12")'),
        ("tests/test_pay.py", '@unittest.skip("暂时跳过")'),
        ("web/tests/cart.test.ts", 'it.skip("keeps the cart", () => {});'),
        ("web/tests/cart.test.ts", 'test.todo("empties the cart");'),
        ("src/test/java/CartTest.java", '@Disabled("broken until the new gateway is there")'),
        ("shop/cli.py", 'raise NotImplementedError("comes with 2.12")'),
        ("shop/cli.py", 'raise SystemExit("refunds are not there yet")'),
        ("shop/cli.py", 'raise click.ClickException("暂未支持退款")'),
        ("web/src/refunds.ts", 'throw new Error("not implemented yet");'),
    ],
)
def test_what_is_switched_off_or_refuses_to_work_yet_is_a_note(path: str, line: str, found: Found) -> None:
    [note] = found({path: f"\n{line}\n" + ("def test_it():\n    pass\n" if line.startswith("@") else "")}, "todo")
    assert note.place.line == 2


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("tests/test_pay.py", '@pytest.mark.skip(reason="needs PostgreSQL")'),
        ("tests/test_pay.py", '@pytest.mark.skipif(windows, reason="fails there")'),
        ("web/tests/cart.test.ts", '(online ? it : it.skip)("asks the server", () => {});'),
        ("shop/ports.py", "raise NotImplementedError"),
        ("shop/ports.py", 'raise NotImplementedError("subclasses say how")'),
        ("shop/cli.py", 'raise SystemExit("there is no such order")'),
    ],
)
def test_what_is_skipped_for_good_is_no_note(path: str, line: str, found: Found) -> None:
    assert not found({path: f"\n{line}\n" + ("def test_it():\n    pass\n" if line.startswith("@") else "")}, "todo")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Not done yet: hires over two seasons take the first.", True),
        ("TODO: returns.", True),
        ("暂时只看第一天。", True),
        ("The price stays for now and later.", False),
        ("Return what is not done yet by a task.", False),
    ],
)
def test_paragraphs_of_documentation_that_open_as_a_note(text: str, told: bool, found: Found) -> None:
    code = f'def price():\n    """Return a price.\n\n    {text}\n    """\n    return 1\n'
    assert [each.place.line for each in found({"shop/price.py": code}, "todo")] == ([4] if told else [])
