import pytest
from maintainer.state.ledger import Ledger, Plan
from maintainer.state.turns import Said
from maintainer.tools.ledger import apply, observe, plan_lines
from maintainer.tools.ledger.plan_text import read_plan

EN = "The plan: 1) read the parser; 2) write tests, also slow ones; 3) port it. Starting with step 1."


def plans_after(*texts: str) -> tuple[Plan, ...]:
    ledger = Ledger()
    for number, text in enumerate(texts, start=2):
        ledger = apply(ledger, observe(ledger, [Said(role="assistant", text=text)], number), number)
    return ledger.plans


def ticks(plan: Plan) -> str:
    return "".join({"done": "x", "doing": ">", "todo": "."}[step.status] for step in plan.steps)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (EN, ["read the parser", "write tests, also slow ones", "port it"]),
        ("Steps:\n1. read `a.py`\n2. port `b.py`\n", ["read `a.py`", "port `b.py`"]),
        ("计划如下：1）读解析器；2）写测试；3）移植。先做第 1 步。", ["读解析器", "写测试", "移植"]),
        ("Our roadmap - (1) read, (2) write, (3) port", ["read", "write", "port"]),
        ("Here is how we go about it:\n1. read\n2. write\n3. port\nWe begin with step 1.", ["read", "write", "port"]),
        ("My idea has 3 parts. 1) read 2) write 3) port. I start with 1) read.", ["read", "write", "port"]),
        ("I propose this:\nStep one: read\nStep two: write\nStep three: port", ["read", "write", "port"]),
        ("First: read. Second: write. Third: port. That is the plan.", ["read", "write", "port"]),
        ("What we will do: a) read; b) write; c) port.", ["read", "write", "port"]),
        ("Breakdown of the upgrade: 1 - read, 2 - drop Python 3.8, 3 - port.", ["read", "drop Python 3.8", "port"]),
        ("升级的安排：一、读代码；二、补测试；三、移植。", ["读代码", "补测试", "移植"]),
        ("我们这样推进：\n第一步：读代码\n第二步：补测试", ["读代码", "补测试"]),
        ("重构分三期：①读代码；②补测试；③移植。目前在第①期。", ["读代码", "补测试", "移植"]),
        ("## Migration\n- [x] read\n- [>] write\n- [ ] port", ["read", "write", "port"]),
    ],
)
def test_a_plan_is_read_from_numbered_or_boxed_steps(text: str, steps: list[str]) -> None:
    plan = read_plan(text, 1)
    assert plan is not None
    assert [step.text for step in plan.steps] == steps


@pytest.mark.parametrize(
    "text",
    [
        "I found two problems: 1) the cache is cold; 2) the log is full.",
        "I see three options: a) wait; b) patch; c) fork.",
        "There are two causes: first, the lock; second, the disk.",
        "发现三个问题：1、缓存冷；2、日志满；3、磁盘慢。",
        "Version 1. It was released in 2.0 days.",
        "The plan is good.",
        "See section 1) and 3).",
    ],
)
def test_other_numbers_are_no_plan(text: str) -> None:
    assert read_plan(text, 1) is None


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ((), ">.."),
        (("Step 1 is done. Now working on step 2: write tests, also slow ones.",), "x>."),
        (("Step 1 is done.", "Moving on to step 2."), "x>."),
        (("Read the parser is finished. Now on step 2.",), "x>."),
        (("I finished reading the parser, on to step 2.",), "x>."),
        (("第 1 步已完成。正在做第 2 步。",), "x>."),
        (("Step one done, step two in progress.",), "x>."),
        (("The first step is behind us. On to the second.",), "x>."),
        (("I leave step 1 for good and take up step 2.",), "x>."),
        (("步骤一完成，步骤二进行中。",), "x>."),
        (("Step 1 took longer than I thought, but it is done.",), "x.."),
        (("A wish about slow tests: start at night.",), ">.."),
        (("第一步做完了，现在开始第二步。",), "x>."),
        (("Step 1 is not done yet.",), ">.."),
        (("Is step 1 done?",), ">.."),
        (("When step 1 is done, tell me.",), ">.."),
        (("Step 1 is done. Step 2 is done. Step 3 is under way.",), "xx>"),
        (("Steps are nice. Number 9 is done.",), ">.."),
    ],
)
def test_progress_is_read_from_later_sentences(told: tuple[str, ...], expected: str) -> None:
    [plan] = plans_after(EN, *told)
    assert ticks(plan) == expected


def test_progress_is_told_in_another_language_than_the_plan() -> None:
    chinese = "计划如下：1）更换图表库；2）下线传真网关；3）重写声明。先做第 1 步。"
    told = 'Done with "swap the chart library". Now working on "retire the fax gateway".'
    [plan] = plans_after(chinese, told)
    assert ticks(plan) == "x>."


def test_progress_goes_to_the_plan_it_names() -> None:
    other = "The release plan: 1) freeze; 2) tag; 3) announce. Starting with step 1: freeze."
    told = "The release plan: step 1 is done. Now on step 2: tag."
    by_title = {
        plan.title: ticks(plan) for plan in plans_after(EN, other, "Step 1 of the plan to read the parser.", told)
    }
    assert by_title["The release plan"] == "x>."
    assert by_title["The plan"] == ">.."


def test_a_plan_is_rendered_with_ticks_and_the_next_action() -> None:
    [plan] = plans_after(EN, "Step 1 is done.")
    assert plan_lines(plan) == [
        "Plan: The plan",
        "[x] 1. read the parser (done)",
        "[ ] 2. write tests, also slow ones",
        "[ ] 3. port it",
        "Next up: step 2, write tests, also slow ones",
    ]
