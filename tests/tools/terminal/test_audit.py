"""The audit log is appended to, survives a torn line, and can be read again."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from maintainer.tools.fakes import FixedClock
from maintainer.tools.terminal import CommandResult
from maintainer.tools.terminal.audit import AuditLog, read

RESULT = CommandResult(command="ls", confinement="policy only", size=3, seconds=0.01)


def test_entries_come_back_oldest_first(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "log", FixedClock(datetime(2026, 1, 2, tzinfo=UTC)))
    for result in (
        RESULT,
        replace(RESULT, refused=True, reason="'rm' is not allowed"),
        replace(RESULT, timed_out=True),
        replace(RESULT, truncated=True),
        replace(RESULT, cancelled=True),
        replace(RESULT, confinement="none: approved"),
    ):
        log.append(result)
    entries = list(read(tmp_path / "log"))
    assert [entry.verdict for entry in entries] == ["ran", "refused", "timed out", "cut", "cancelled", "approved"]
    assert entries[0].at == "2026-01-02T00:00:00.000+00:00"


def test_a_torn_line_costs_only_itself(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "log", FixedClock(datetime(2026, 1, 2, tzinfo=UTC)))
    log.append(RESULT)
    with (tmp_path / "log").open("a") as file:
        file.write('{"at": "2026')
    log.append(RESULT)
    assert len(list(read(tmp_path / "log"))) == 2


def test_no_log_is_an_empty_log(tmp_path: Path) -> None:
    assert list(read(tmp_path / "none")) == []


def test_odd_names_are_written_too(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "log", FixedClock(datetime(2026, 1, 2, tzinfo=UTC)))
    log.append(replace(RESULT, command="cat \udcff 说明"))
    assert "说明" in next(iter(read(tmp_path / "log"))).command
