import pytest
from maintainer.state.ledger import Ledger
from maintainer.state.turns import Role, Said
from maintainer.tools.embeddings import open_embedder
from maintainer.tools.ledger import apply, fact_lines, observe
from maintainer.tools.ledger.nearness import Nearness

Talk = list[tuple[Role, str]]


@pytest.fixture(scope="module")
def nearness() -> Nearness:
    embedder = open_embedder()
    assert embedder is not None
    return Nearness(embedder)


def after(talk: Talk, nearness: Nearness | None = None) -> Ledger:
    ledger = Ledger()
    for number, (role, text) in enumerate([("user", "Goal: keep it running."), *talk], start=1):
        said = [Said(role=role, text=text)]
        cosines = nearness.cosines if nearness is not None else None
        ledger = apply(ledger, observe(ledger, said, number, cosines), number)
    return ledger


def standing(ledger: Ledger) -> list[str]:
    return [fact.text for fact in ledger.standing()]


REPLACED: list[tuple[str, str]] = [
    (
        "Sessions in `web/session.py` live in Redis, because restarts must not log people out.",
        "Forget Redis: `web/session.py` keeps sessions in PostgreSQL now, one service less to run.",
    ),
    (
        "`web/session.py` 的会话存到 Redis，因为重启不能让用户掉线。",
        "`web/session.py` 不再用 Redis，会话改存到 PostgreSQL。",
    ),
    (
        "`jobs/queue.py` retries four times before it gives up.",
        "`jobs/queue.py` no longer retries four times, it gives up after seven.",
    ),
    (
        "I renamed the entry of `cli/main.py` to `run_all`.",
        "`run_all` in `cli/main.py` was a bad name, it is `start` now.",
    ),
    (
        "The nightly job has timeout = 40 in `ci.yml`.",
        "The nightly job had timeout = 40 in `ci.yml`; I raised it to timeout = 60.",
    ),
]


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_a_fact_that_says_so_replaces_the_older_one(old: str, new: str, nearness: Nearness) -> None:
    ledger = after([("user", old), ("assistant", "All right."), ("user", new)], nearness)
    assert [fact.status for fact in ledger.facts.values()] == ["superseded", "standing"]
    assert standing(ledger) == [new]


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_without_an_embedder_the_older_one_is_never_shown_alone(old: str, new: str) -> None:
    [line] = fact_lines(after([("user", old), ("user", new)]))
    assert line.fact.text == new


NEWER: list[tuple[tuple[Role, str], tuple[Role, str]]] = [
    (
        ("user", "`app/gateway.py` talks gRPC to partners, because they asked for it."),
        ("user", "On reflection gRPC is out; GraphQL takes over in `app/gateway.py`."),
    ),
    (
        ("user", "For the smoke tests: 54 retries."),
        ("user", "Correction for the smoke tests: 77 retries instead of 54."),
    ),
    (("user", "The dashboards listen on port 8080."), ("user", "Make that port 9090 for the dashboards.")),
    (
        ("user", "Docstrings in the plotting code follow the Google style."),
        ("user", "Docstrings in the plotting code: NumPy style from now on."),
    ),
    (
        ("user", "Pull requests against the plotting code: 200 lines tops."),
        ("user", "Pull requests against the plotting code may have 400 lines, not 200."),
    ),
    (
        ("user", "`app/worker.py` caches for 45 seconds since the CDN does."),
        ("user", "`app/worker.py` caches for 90 seconds; the CDN changed."),
    ),
    (
        ("assistant", "`app/worker.py` returns wrong dates in the Pacific time zone; cause not found."),
        ("assistant", "`app/worker.py` no longer returns wrong dates; a naive datetime was the cause."),
    ),
    (
        ("assistant", "CI fails on ARM for `app/worker.py`, no explanation yet."),
        ("assistant", "You can strike the ARM failure of `app/worker.py` off the list: a wrong compiler flag."),
    ),
    (
        ("assistant", "The dependency on attrs is pinned to 23.1 in `setup.cfg`."),
        ("assistant", "attrs is pinned to 24.2 in `setup.cfg` now."),
    ),
    (
        ("assistant", "I put the schema of `app/worker.py` into `app/schema.sql`."),
        (
            "assistant",
            "The schema of `app/worker.py` sits in `db/schema.sql` these days, no longer in `app/schema.sql`.",
        ),
    ),
    (("user", "Release mails are written in German."), ("user", "Release mails: French instead of German, please.")),
    (
        ("user", "Sign every tag of the plotting code."),
        ("user", "The plotting code does not need signed tags any more."),
    ),
    (
        ("assistant", "Users of `app/files.py` see mojibake in Greek file names. Nobody looked into it."),
        ("assistant", "The mojibake of `app/files.py` turned out to be a missing BOM; sorted."),
    ),
    (
        ("assistant", "`app/mail.py` 在 ARM 上编译不过，暂时没有解释。"),
        ("assistant", "`app/mail.py` 的 ARM 编译问题解决了，是编译选项写错。"),
    ),
    (("user", "`app/mail.py` authenticates by password."), ("user", "`app/mail.py` 的鉴权方式改成 mTLS。")),
    (
        ("user", "Logs of `app/mail.py` go to a file, the ops people insist."),
        ("user", "Logs of `app/mail.py` go to syslog; disks are small."),
    ),
    (("user", "The fixtures have to be anonymised."), ("user", "The fixtures need not be anonymised after all.")),
]
"""Facts of many kinds, each with a newer version, most of them in other words."""


def test_a_newer_version_is_never_shown_beside_the_older_one_as_if_both_held(nearness: Nearness) -> None:
    ledger = after([old for old, _ in NEWER] + [new for _, new in NEWER], nearness)
    lines = {line.fact.text: line.text for line in fact_lines(ledger)}
    for (_, old), (_, new) in NEWER:
        assert old not in lines
        assert new in lines


def test_a_chinese_update_replaces_an_english_fact(nearness: Nearness) -> None:
    old = "`web/session.py` keeps its sessions in Redis, because restarts must not log people out."
    new = "`web/session.py` 不再用 Redis 存会话，改存到 PostgreSQL。"
    assert standing(after([("user", old), ("user", new)], nearness)) == [new]


def test_facts_about_other_aspects_of_the_same_file_stay(nearness: Nearness) -> None:
    talk: Talk = [
        ("user", "`web/session.py` keeps its sessions in Redis."),
        ("user", "You must never touch the table KEEP_7 in `web/session.py`."),
        ("user", "`web/session.py` raises LoginError on bad input."),
        ("user", "`web/session.py` no longer uses Redis for its sessions, they move to PostgreSQL."),
    ]
    assert standing(after(talk, nearness)) == [text for _, text in talk[1:]]


def test_the_same_update_about_another_file_replaces_nothing(nearness: Nearness) -> None:
    talk: Talk = [
        ("user", "`web/session.py` keeps its state in Redis."),
        ("user", "`jobs/queue.py` no longer keeps its state in Redis, it moves to PostgreSQL."),
    ]
    assert len(standing(after(talk, nearness))) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We log through structlog in the crawler.", "Forget structlog, the crawler logs through loguru."),
        (
            "`core/pager.py` pages by cursor because offsets broke.",
            "Cursors did not work out in `core/pager.py`; we are back to offsets.",
        ),
        ("手册用荷兰语写成。", "手册改成丹麦语。"),
        (
            "Access to `core/gate.py` goes through tokens, because the port staff knows them.",
            "Drop tokens in `core/gate.py` and take certificates, because the port staff knows them.",
        ),
    ],
)
def test_an_update_in_other_words_is_shown_beside_or_instead_of_the_old_one(
    old: str, new: str, nearness: Nearness
) -> None:
    lines = fact_lines(after([("user", old), ("user", new)], nearness))
    assert [line.text.split(": ", 1)[1].split(" | earlier")[0] for line in lines] == [new]


def test_trouble_with_a_file_takes_back_no_decision_about_it(nearness: Nearness) -> None:
    decision = "`core/feed.py` raises PartialWrite on bad input, decided today."
    trouble = "I could not get rid of a KeyError in `core/feed.py`; it comes and goes, so this stays open."
    assert standing(after([("user", decision), ("assistant", trouble)], nearness)) == [decision, trouble]


def test_a_move_that_is_done_solves_no_problem(nearness: Nearness) -> None:
    problem, moved = (
        "`core/feed.py` 偶尔卡死，原因不明。",
        "完成：`core/feed.py` 的代码已经搬到 `core/ingest.py`，导入也改好了。",
    )
    assert problem in standing(after([("assistant", problem), ("assistant", moved)], nearness))


def test_without_a_word_of_change_both_are_shown_on_one_line_newest_first(nearness: Nearness) -> None:
    talk: Talk = [
        ("user", "`web/session.py` speaks JSON to the outside."),
        ("user", "`web/session.py` speaks CBOR to the outside."),
    ]
    ledger = after(talk, nearness)
    assert len(standing(ledger)) == 2
    [line] = fact_lines(ledger)
    assert line.text.endswith("`web/session.py` speaks CBOR to the outside. | earlier, turn 2: " + talk[0][1])


@pytest.mark.parametrize(
    ("problem", "solved"),
    [
        ("`jobs/queue.py` hangs in teardown now and then.", "The hang of `jobs/queue.py` in teardown is fixed."),
        ("`jobs/queue.py` 偶尔卡死，原因不明。", "`jobs/queue.py` 的卡死已修复，根源是过期的锁。"),
        (
            "Loading `jobs/queue.py` went up to 900 ms, no idea why.",
            "`jobs/queue.py` is fast again; a cyclic import was behind it.",
        ),
    ],
)
def test_a_solved_problem_closes_and_its_solution_stays(problem: str, solved: str, nearness: Nearness) -> None:
    ledger = after([("assistant", problem), ("assistant", solved)], nearness)
    assert [fact.status for fact in ledger.facts.values()] == ["resolved", "standing"]
    assert standing(ledger) == [solved]


def test_the_right_one_of_two_problems_closes(nearness: Nearness) -> None:
    talk: Talk = [
        ("assistant", "`jobs/queue.py` leaks 40 MB an hour, cause unknown."),
        ("assistant", "The tests of `jobs/queue.py` fail on Windows with a PermissionError, unsolved."),
        ("assistant", "The PermissionError of `jobs/queue.py` on Windows is fixed; a handle was never closed."),
    ]
    ledger = after(talk, nearness)
    assert [fact.status for fact in ledger.facts.values()] == ["standing", "resolved", "standing"]


def test_a_reason_in_the_next_sentence_belongs_to_the_decision() -> None:
    [fact] = after(
        [("user", "We go with LMDB in `cache.py`. The main argument: laptops are offline. Thanks.")]
    ).standing()
    assert fact.text == "We go with LMDB in `cache.py`. The main argument: laptops are offline."


def test_a_second_sentence_that_leans_on_the_first_stays_with_it() -> None:
    [fact] = after([("user", "Scrap threads in `pool.py`. We use processes there instead.")]).standing()
    assert fact.text == "Scrap threads in `pool.py`. We use processes there instead."


def test_what_is_said_twice_is_noted_once() -> None:
    assert len(standing(after([("user", "Never push to main."), ("user", "Never  push to main.")]))) == 1


def test_the_goal_is_pinned_and_not_noted_again() -> None:
    ledger = apply(Ledger(), observe(Ledger(), [Said(role="user", text="We must ship 2.0 in May.")], 1), 1)
    assert ledger.standing() == []
