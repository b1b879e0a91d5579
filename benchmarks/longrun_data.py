"""Long sessions made by rule: facts planted, changed and asked for again, among requests, reports and listings."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

FILES = [
    f"shop/{name}.py" for name in ("cart", "mail", "pay", "stock", "tax", "users", "search", "export", "queue", "api")
]
AREAS = [
    ("admin pages", "管理页面"),
    ("price lists", "价格表"),
    ("import scripts", "导入脚本"),
    ("load tests", "压力测试"),
]
REASONS = [
    ("the tills are offline at night", "收银机夜里离线"),
    ("the accountants check it by hand", "会计要手工核对"),
    ("two branches run old tablets", "两家分店还在用旧平板"),
    ("the insurer asked for it", "保险公司有要求"),
]
CAUSES = [("a lock taken twice", "锁被取了两次"), ("a full disk", "磁盘满了"), ("a wrong time zone", "时区错误")]
STEPS = ["read the ledger code", "write slow tests", "port the tax rules", "print the manual", "train the staff"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question asked after a turn, and what a good context holds."""

    at: int
    kind: str
    distance: int
    query: str
    value: str
    scopes: tuple[str, ...]
    """What the fact speaks of, in the words of either language."""
    old: str = ""
    """Value of the version before, where there was one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Turns as a harness feeds them, with the questions about them."""

    turns: list[dict[str, object]]
    probes: list[Probe]
    goal: str


def make_session(turns: int, seed: int) -> Session:
    """Return a session of so many turns; the same seed makes the same session."""
    rng = random.Random(seed)
    goal = "Goal: run the till software of the Harbour shops until the lease ends on 30 September."
    said: list[tuple[str, str]] = [("user", goal), ("assistant", _plan())]
    planted: list[tuple[int, str, str, str, str, str]] = []
    standing: dict[tuple[str, str], str] = {}
    done = 0
    while len(said) < turns:
        if rng.random() < 0.14:
            kind, scope, query, value, text, by = _fact(rng, standing)
            planted.append((len(said), kind, scope, query, value, standing.get((kind, scope), "")))
            standing[kind, scope] = value
            said.append((by, text))
        elif rng.random() < 0.02 and done + 1 < len(STEPS):
            done += 1
            said.append(("assistant", f"Step {done} is done. Now on step {done + 1}: {STEPS[done]}."))
        else:
            said += list(_chatter(rng))
    said = said[:turns]
    return Session(
        turns=[_turn(i, by, text) for i, (by, text) in enumerate(said)], probes=_probes(planted, turns), goal=goal
    )


def _plan() -> str:
    return (
        "The plan: "
        + "; ".join(f"{n}) {step}" for n, step in enumerate(STEPS, 1))
        + f". Starting with step 1: {STEPS[0]}."
    )


def _fact(rng: random.Random, standing: dict[tuple[str, str], str]) -> tuple[str, str, str, str, str, str]:
    kind = rng.choice(("decision", "rule", "problem", "change"))
    path, (area, area_zh) = rng.choice(FILES), rng.choice(AREAS)
    (reason, reason_zh), number, chinese = rng.choice(REASONS), rng.randrange(100, 999), rng.random() < 0.3
    if kind == "decision":
        old, value = standing.get((kind, path)), f"{number} seconds" if not chinese else f"{number} 秒"
        if old:
            text = f"`{path}` no longer caches for {old}, it is {value} now, because {reason}."
        elif chinese:
            text = f"`{path}` 的缓存时间定为 {value}，因为{reason_zh}。"
        else:
            text = f"`{path}` caches its results for {value}, because {reason}."
        return kind, path, f"How long may `{path}` keep results, and why?", value, text, "user"
    if kind == "rule":
        old, value = standing.get((kind, area)), f"T-{number}"
        text = (
            f"For the {area}: never go without ticket prefix {value}."
            if not chinese
            else f"{area_zh}的提交一律带上编号 {value}。"
        )
        if old:
            text = f"The {area} do not use ticket prefix {old} any more, always use {value} instead."
        return kind, area, f"Commit the work on the {area}.", value, text, "user"
    if kind == "problem":
        old, cause = standing.get((kind, path)), rng.choice(CAUSES)[0]
        if old and "messages" in old:
            return (
                kind,
                path,
                f"What was wrong with `{path}`?",
                cause,
                f"The loss of {old} in `{path}` is fixed; {cause} was behind it.",
                "assistant",
            )
        value = f"{number} messages"
        return (
            kind,
            path,
            f"Is `{path}` reliable?",
            value,
            f"`{path}` loses {value} a day, cause unknown so far.",
            "assistant",
        )
    value = f"till/part_{number}.py"
    text = f"I moved the code of `{path}` to `{value}`." if not chinese else f"`{path}` 的代码已经移到 `{value}`。"
    if standing.get((kind, path)):
        text = f"The code of `{path}` moved again, from `{standing[kind, path]}` to `{value}`."
    return kind, path, f"Where is the code of `{path}` now?", value, text, "assistant"


def _chatter(rng: random.Random) -> Iterator[tuple[str, str]]:
    path, number = rng.choice(FILES), rng.randrange(1, 99)
    yield (
        "user",
        rng.choice(
            (f"Please look at line {number} of `{path}`.", "Thanks, go on.", f"请看一下 `{path}` 第 {number} 行。")
        ),
    )
    if rng.random() < 0.2:
        yield (
            "user",
            f"Somebody elsewhere keeps results of `{path}` for {rng.randrange(100, 999)} seconds. Not our topic.",
        )
    if rng.random() < 0.6:
        yield (
            "tool",
            "\n".join(f"{path}:{n}: value_{rng.randrange(999)} = compute({n})" for n in range(rng.randrange(3, 30))),
        )
    yield "assistant", rng.choice((f"Line {number} of `{path}` is fine.", "No problem found.", "没有发现问题。"))


def _probes(planted: list[tuple[int, str, str, str, str, str]], turns: int) -> list[Probe]:
    """Return questions 10, 50, 100 and 500 turns after each plant, while that version is the newest."""
    found = []
    for place, (at, kind, scope, query, value, old) in enumerate(planted):
        until = next((later[0] for later in planted[place + 1 :] if later[1:3] == (kind, scope)), turns)
        found += [
            Probe(
                at=at + distance, kind=kind, distance=distance, query=query, value=value, scopes=_names(scope), old=old
            )
            for distance in (10, 50, 100, 500)
            if at + distance < until
        ]
    return found


def _names(scope: str) -> tuple[str, ...]:
    return next(((english, chinese) for english, chinese in AREAS if english == scope), (scope,))


def _turn(number: int, by: str, text: str) -> dict[str, object]:
    at = datetime(2026, 1, 5, 9, 0, tzinfo=UTC) + timedelta(minutes=7 * number)
    named = {"name": "terminal", "command": "grep -n compute"} if by == "tool" else {}
    return {"i": number, "role": by, "content": text, "ts": at.isoformat(), **named}
