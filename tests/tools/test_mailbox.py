"""What is said between steps is heard once, in order, from any process, and never lost in between."""

from pathlib import Path

from maintainer.tools.fakes import FixedClock
from maintainer.tools.mailbox import Mailbox


def test_messages_wait_until_a_checkpoint_has_their_id(tmp_path: Path) -> None:
    clock = FixedClock()
    box = Mailbox(tmp_path, clock)
    first = box.post("会话", "only the cart")
    clock.advance(seconds=1)
    second = Mailbox(tmp_path, clock).post("会话", "用中文回答")
    assert list(box.take("会话").items()) == [(first, "only the cart"), (second, "用中文回答")]
    assert list(box.take("会话", [first])) == [second]
    assert list(box.take("会话", [first, second])) == []
    assert list(tmp_path.rglob("*.txt")) == []


def test_sessions_have_boxes_of_their_own_whatever_their_names(tmp_path: Path) -> None:
    box = Mailbox(tmp_path, FixedClock())
    box.post("../x", "hello")
    assert (len(box.take("../x")), len(box.take("x"))) == (1, 0)
    assert all(tmp_path in path.parents for path in tmp_path.rglob("*.txt"))


def test_secrets_in_messages_are_masked_on_disk(tmp_path: Path) -> None:
    key = "sk-proj-" + "Ab3dEf9hIj2kLm4n" * 3
    box = Mailbox(tmp_path, FixedClock())
    box.post("s", f"use {key}")
    assert all(key not in path.read_text() for path in tmp_path.rglob("*.txt"))
