"""One analysis after another: only what changed is read, nothing depends on order, nothing is lost."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.tools.fakes import FixedClock
from maintainer.tools.progress import heard_by
from maintainer.tools.quality.engine import Cancelled, Quality
from maintainer.tools.quality.judges.table import JUDGES

Write = Callable[[dict[str, str]], Path]

FILES = {
    "a.py": "# TODO: one\ndef f(x=[]):\n    x.append(1)\n",
    "b.py": "import a\n\na.f()\n",
    "README.md": "See `docs/gone.md`.\n",
    "docs/x.md": "text\n",
}


def test_a_repository_may_be_named_from_where_one_stands(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write(FILES))
    quality = Quality(Path(), tmp_path, clock=FixedClock())
    assert {finding.kind for finding in quality.analyze().findings} >= {"todo", "lint", "stale_docs"}
    quality.close()


def test_only_changed_files_are_read_again(write: Write, tmp_path: Path) -> None:
    repo = write(FILES)
    first = Quality(repo, tmp_path, clock=FixedClock())
    assert first.analyze().read_again == 4
    assert first.analyze().read_again == 0
    (repo / "a.py").write_text("# TODO: two\n# FIXME: three\n")
    os.utime(repo / "b.py", ns=(1, 1))  # touched, not changed
    report = first.analyze()
    first.close()
    assert report.read_again == 1
    assert {finding.facts["text"] for finding in report.findings if finding.kind == "todo"} == {"two", "three"}


def test_the_cache_gives_what_a_fresh_analysis_gives(write: Write, tmp_path: Path) -> None:
    repo = write(FILES)
    for _ in range(2):  # another process each time
        cached = Quality(repo, tmp_path, clock=FixedClock())
        warm = cached.analyze()
        cached.close()
    fresh = Quality(repo, None, clock=FixedClock())
    assert fresh.analyze().findings == warm.findings
    fresh.close()


def test_what_a_deleted_file_said_is_forgotten(write: Write, tmp_path: Path) -> None:
    repo = write(FILES)
    quality = Quality(repo, tmp_path, clock=FixedClock())
    assert any(finding.place.path == "a.py" for finding in quality.analyze().findings)
    (repo / "a.py").unlink()
    assert not any(finding.place.path == "a.py" for finding in quality.analyze().findings)
    quality.close()


def test_a_damaged_cache_is_made_again(write: Write, tmp_path: Path) -> None:
    repo = write(FILES)
    (tmp_path / "quality.sqlite").write_bytes(b"no database" * 1000)
    quality = Quality(repo, tmp_path, clock=FixedClock())
    assert quality.analyze().read_again == 4
    quality.close()


def test_a_cancelled_analysis_goes_on_where_it_stopped(write: Write, tmp_path: Path) -> None:
    repo = write({f"m{number}.py": f"x = {number}\n" for number in range(20)})
    quality = Quality(repo, tmp_path, clock=FixedClock())
    asked = iter(range(100))
    with pytest.raises(Cancelled):
        quality.analyze(cancelled=lambda: next(asked) >= 10)
    assert quality.analyze().read_again == 10
    quality.close()


def test_progress_names_every_judge(write: Write) -> None:
    told: list[str] = []
    quality = Quality(write(FILES), None, clock=FixedClock())
    quality.analyze(progress=lambda what, done, total: told.append(what))
    quality.close()
    assert set(JUDGES) <= set(told)


def test_findings_stand_worst_first_and_each_has_a_fingerprint_of_its_own(write: Write) -> None:
    quality = Quality(write({**FILES, "c.py": "# TODO: one\n# TODO: one\n"}), None, clock=FixedClock())
    findings = quality.analyze().findings
    quality.close()
    ranks = [finding.rank[0] for finding in findings[:4]]
    assert ranks == sorted(ranks)
    prints = [finding.fingerprint for finding in findings]
    assert len(prints) == len(set(prints)) > 4
    assert all(0 <= finding.confidence <= 1 for finding in findings)


def test_fingerprints_survive_lines_that_move(write: Write) -> None:
    def prints(text: str) -> set[str]:
        quality = Quality(write({"a.py": text}), None, clock=FixedClock())
        found = {finding.fingerprint for finding in quality.analyze().findings}
        quality.close()
        return found

    before = prints(FILES["a.py"])
    assert prints('"""New words on top."""\n\nNAME = 1\nprint(NAME)\n\n' + FILES["a.py"]) == before
    assert prints(FILES["a.py"].replace("one", "another thing")) != before


def test_a_report_is_plain_json(write: Write) -> None:
    quality = Quality(write(FILES), None, clock=FixedClock())
    plain = quality.analyze().to_dict()
    quality.close()
    assert json.loads(json.dumps(plain))["findings"][0]["place"]["path"]


def test_what_cannot_be_read_is_said(write: Write) -> None:
    repo = write({**FILES, "big.py": "x = 1\n" * 200_000})
    quality = Quality(repo, None, clock=FixedClock())
    report = quality.analyze()
    quality.close()
    assert any(problem.startswith("big.py: larger than") for problem in report.problems)


def test_an_empty_repository_has_no_findings(tmp_path: Path) -> None:
    quality = Quality(tmp_path, None, clock=FixedClock())
    report = quality.analyze()
    quality.close()
    assert (report.findings, report.files, report.problems) == ((), 0, ())


def test_a_suppression_follows_a_file_that_git_knows_was_renamed(write: Write, tmp_path: Path) -> None:
    def git(*args: str) -> None:
        told = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", str(repo), *told, *args], check=True, capture_output=True)

    def suppressed() -> int:
        quality = Quality(repo, home, clock=FixedClock())
        report = quality.analyze()
        quality.close()
        return report.suppressed

    repo, home = write({"old.py": FILES["a.py"]}), tmp_path / "home"
    home.mkdir()
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    quality = Quality(repo, home, clock=FixedClock())
    todo = next(finding for finding in quality.analyze().findings if finding.kind == "todo")
    quality.close()
    entries = f"- fingerprint: {todo.fingerprint}\n  reason: known\n- path: old.py\n  kind: lint\n  reason: known\n"
    (home / "suppressions.yaml").write_text(entries, "utf-8")
    assert suppressed() == 2
    git("mv", "old.py", "new.py")
    git("commit", "-qm", "renamed")
    assert suppressed() == 2


def test_ctrl_c_keeps_what_was_read(write: Write, tmp_path: Path) -> None:
    repo = write({f"m{number:03}.py": f"X = {number}\n" for number in range(120)})
    home = tmp_path / "home"
    home.mkdir()
    quality = Quality(repo, home)

    def told(what: str, done: int, total: int) -> None:
        if done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quality.analyze(progress=told)
    assert quality.analyze().read_again == 20
    quality.close()


def test_whoever_listens_hears_how_far_it_has_come(write: Write) -> None:
    heard: list[str] = []
    quality = Quality(write(FILES), None)
    with heard_by(lambda what, done, total: heard.append(what)):
        quality.analyze()
    quality.close()
    assert heard[0] == "read"
    assert heard[1:] == list(JUDGES)


def test_code_that_nobody_wrote_is_not_judged_and_that_is_said(write: Write) -> None:
    files = {
        "api_pb2.py": "# Generated by the protocol buffer compiler.  DO NOT EDIT!\n" + FILES["a.py"],
        "static/app.js": "function f(a){" + "if(a){a()}" * 600 + "}\n",
        "study.ipynb": '{"cells": [{"source": ["import os\\n"]}]}\n',
        "raw.py": "\x00\x01\x02",
        "long.py": "X = 1\n" * 100_000,
    }
    quality = Quality(write(files), None, clock=FixedClock())
    report = quality.analyze()
    quality.close()
    assert {finding.place.path for finding in report.findings} <= {"long.py", "raw.py"}
    told = " | ".join(report.problems)
    assert "generated code is read for names and keys only: api_pb2.py" in told
    assert "minified code is read for names and keys only: static/app.js" in told
    assert "notebooks" in told


def test_halves_of_characters_end_no_analysis(write: Write, tmp_path: Path) -> None:
    half = 'from unittest import mock\n\nmock.patch("shop.\\ud800")\nNAMES = {"\\udfff": "🍵"}\n__all__ = ["\\ud800"]\n'
    repo = write({"a.py": half, "tests/test_a.py": f"{half}import a\n", "b.py": "# TODO: one\n"})
    quality = Quality(repo, tmp_path, clock=FixedClock())
    report = quality.analyze()
    quality.close()
    assert "todo" in {finding.kind for finding in report.findings}
    assert not report.problems
