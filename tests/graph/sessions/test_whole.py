"""The real maintainer: what it stores, forks, encrypts, tells and deletes."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from maintainer.graph.maintainer import Maintainer
from maintainer.graph.sessions.stores import session_stores
from maintainer.state.errors import StoreError
from maintainer.state.session import SCHEMA_VERSION
from maintainer.tools.clock import SystemClock
from maintainer.tools.fakes import ScriptedModel

ANSWER = "Prices are made in shop.py:1."


def git(repo: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
        cwd=repo,
        check=True,
        capture_output=True,
    )


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "shop.py").write_text("def price(order):\n    return order.total\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


@contextmanager
def opened(repo: Path, **options: Any) -> Iterator[Maintainer]:
    model = ScriptedModel([ANSWER] * 20, forms=[])
    with Maintainer(repo, model=model, clock=SystemClock(), embedder="none", **options) as maintainer:
        yield maintainer


def test_a_session_holds_its_schema_version_name_and_goal(repo: Path) -> None:
    with opened(repo) as maintainer:
        maintainer.run("where are prices made?", mode="explore", session="prices")
        state = maintainer._sessions.state_at("prices", "t1")
    assert (state.schema_version, state.session, state.goal) == (SCHEMA_VERSION, "prices", "where are prices made?")


def test_a_commit_between_two_turns_stands_in_the_next_context(repo: Path) -> None:
    with opened(repo) as maintainer:
        maintainer.run("where are prices made?", mode="explore", session="prices")
    (repo / "tax.py").write_text("RATE = 0.2\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "tax")

    with opened(repo) as maintainer:
        maintainer.run("and now?", mode="explore", session="prices")
        prompt = maintainer._toolbox.models.main.prompts[-1]  # type: ignore[union-attr]

    assert "HEAD moved from" in prompt.user
    assert "tax.py" in prompt.user


def test_a_fork_sees_the_past_before_it_and_nothing_after(repo: Path) -> None:
    with opened(repo) as maintainer:
        for request in ("first question", "second question"):
            maintainer.run(request, mode="explore", session="main")
        maintainer.fork("main", "t1", "try")
        maintainer.run("a third way", mode="explore", session="try")
        said = [each.content for each in maintainer._sessions.state_at("try", "t2").history if each.role == "user"]
        archive = maintainer._toolbox.archive
        line = [turn.said[0].text for turn in archive.turns(archive.newest("try"))]
        steps = maintainer.history("main")

    assert said == line == ["first question", "a third way"]
    assert steps[-1].turn == 2


def test_what_is_said_is_unreadable_in_the_checkpoints_of_a_sealed_home(repo: Path) -> None:
    key = "0123456789abcdef0123456789abcdef"
    with opened(repo, checkpoint_key=key) as maintainer:
        maintainer.run("where is the swordfish?", mode="explore", session="main")
    stored = b"".join(path.read_bytes() for path in (repo / ".maintainer").glob("checkpoints.sqlite*"))
    assert len(stored) > 0
    assert stored.count(b"swordfish") == 0
    with pytest.raises(StoreError, match="LANGGRAPH_AES_KEY"), opened(repo) as maintainer:
        maintainer.run("and now?", mode="explore", session="main")


def test_a_key_in_a_request_is_in_no_file_of_the_home(repo: Path) -> None:
    with opened(repo) as maintainer:
        maintainer.run("why does AKIAIOSFODNN7EXAMPLE fail?", mode="explore", session="main")
    found = [p for p in (repo / ".maintainer").rglob("*") if p.is_file() and b"AKIAIOSFODNN7EXAMPLE" in p.read_bytes()]
    assert found == []


def test_a_deleted_session_is_in_no_store_of_the_home(repo: Path) -> None:
    with opened(repo) as maintainer:
        maintainer.run("where are prices made?", mode="explore", session="main")
        maintainer.run("where is the swordfish?", mode="explore", session="secret")
    home = repo / ".maintainer"
    with opened(repo) as maintainer, session_stores(home) as stores:
        proof = maintainer._sessions.delete("secret", stores)
        left = [record.name for record in maintainer.sessions()]
    assert all(store.after == 0 for store in proof.stores)
    assert {store.store for store in proof.stores if store.before} >= {"checkpoints", "archive", "receipts"}
    assert left == ["main"]
    outside_notes = [p for p in home.rglob("*") if p.is_file() and "notes" not in p.relative_to(home).parts]
    assert [str(p.relative_to(home)) for p in outside_notes if b"swordfish" in p.read_bytes()] == []
