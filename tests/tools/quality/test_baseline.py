"""What is new, what is fixed, what nobody wants to hear about."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from maintainer.state.errors import ConfigError
from maintainer.state.report import Finding, Report
from maintainer.tools.fakes import FixedClock
from maintainer.tools.quality.baseline import compared, load_baseline, save_baseline
from maintainer.tools.quality.engine import Quality
from maintainer.tools.quality.memory import QualityMemory
from maintainer.tools.quality.suppressions import load_suppressions

Write = Callable[[dict[str, str]], Path]


def analysis(repo: Path, home: Path | None = None) -> Report:
    quality = Quality(repo, home, clock=FixedClock())
    try:
        return quality.analyze()
    finally:
        quality.close()


def texts(findings: list[Finding] | tuple[Finding, ...]) -> set[object]:
    return {finding.facts["text"] for finding in findings}


def test_new_and_fixed_are_told_apart(write: Write, tmp_path: Path) -> None:
    repo = write({"a.py": "# TODO: stays\n# TODO: goes\n"})
    save_baseline(tmp_path / "base.json", analysis(repo))
    (repo / "a.py").write_text("\n\n# TODO: comes\n# TODO: stays\n")
    report = compared(analysis(repo), load_baseline(tmp_path / "base.json"))
    assert texts(tuple(finding for finding in report.findings if finding.fingerprint in report.new)) == {"comes"}
    assert texts(report.fixed) == {"goes"}


def test_a_finding_that_moved_with_its_file_is_the_same(write: Write, tmp_path: Path) -> None:
    repo = write({"a.py": "# TODO: one\n"})
    before = analysis(repo)
    (repo / "a.py").rename(repo / "b.py")
    after = analysis(repo)
    assert len(compared(after, before.findings).new) == 1
    moved = compared(after, before.findings, {"a.py": "b.py"})
    assert (moved.new, moved.fixed) == (frozenset(), ())


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"findings": 3}', '{"findings": [{"kind": "nonsense"}]}'])
def test_what_is_no_baseline_is_an_error_with_a_remedy(text: str, tmp_path: Path) -> None:
    (tmp_path / "base.json").write_text(text)
    with pytest.raises(ConfigError, match="make it again"):
        load_baseline(tmp_path / "base.json")


def test_a_device_is_no_baseline() -> None:
    with pytest.raises(ConfigError, match="no regular file"):
        load_baseline(Path("/dev/zero"))


def test_a_missing_baseline_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="maintainer check --save"):
        load_baseline(tmp_path / "none.json")


def test_sessions_are_compared_with_the_one_before(write: Write, tmp_path: Path) -> None:
    memory, clock = QualityMemory(tmp_path), FixedClock()
    repo = write({"a.py": "# TODO: one\n"})
    first = memory.compare_and_keep(analysis(repo), "monday", clock.now())
    assert (first.new, first.fixed) == (frozenset(), ())  # nothing to compare with
    (repo / "a.py").write_text("# TODO: two\n")
    for _ in range(2):  # a second analysis of the session is compared with the same
        report = memory.compare_and_keep(analysis(repo), "tuesday", clock.now())
        assert (len(report.new), texts(report.fixed)) == (1, {"one"})
    assert [(point.session, point.counts) for point in memory.trend()] == [
        ("monday", {"info": 1}),
        ("tuesday", {"info": 1}),
    ]


def test_a_damaged_memory_is_begun_again(write: Write, tmp_path: Path) -> None:
    (tmp_path / "findings.json").write_text("{broken")
    report = QualityMemory(tmp_path).compare_and_keep(analysis(write({"a.py": "# TODO: x\n"})), "s", FixedClock().now())
    assert report.new == frozenset()
    assert len(QualityMemory(tmp_path).trend()) == 1


def test_suppressions_leave_out_what_they_name_and_are_counted(write: Write, tmp_path: Path) -> None:
    repo = write({"old/a.py": "# TODO: one\n", "b.py": "# TODO: two\n# FIXME: three\n"})
    (tmp_path / "suppressions.yaml").write_text(
        "- kind: todo\n  path: old/\n  reason: replaced in spring\n- rule: FIXME\n  reason: known\n"
    )
    report = analysis(repo, tmp_path)
    assert texts(report.findings) == {"two"}
    assert report.suppressed == 2


def test_a_suppression_ends_on_its_day(write: Write, tmp_path: Path) -> None:
    repo = write({"a.py": "# TODO: one\n"})
    for until, count in (("2026-01-06", 0), ("2026-01-05", 1)):  # the clock of the test says 5 January 2026
        (tmp_path / "suppressions.yaml").write_text(f"- kind: todo\n  reason: later\n  until: {until}\n")
        assert len(analysis(repo, tmp_path).findings) == count


def test_a_single_finding_is_suppressed_by_its_fingerprint(write: Write, tmp_path: Path) -> None:
    repo = write({"a.py": "# TODO: one\n# TODO: two\n"})
    gone = analysis(repo).findings[0]
    (tmp_path / "suppressions.yaml").write_text(f'- fingerprint: "{gone.fingerprint}"\n  reason: wanted\n')
    assert [finding.fingerprint for finding in analysis(repo, tmp_path).findings] != [gone.fingerprint]
    assert len(analysis(repo, tmp_path).findings) == 1


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("kind: todo", "must be a list"),
        ("- todo", "must have keys and values"),
        ("- kind: todo", "must give a reason"),
        ("- reason: all of it", "must name at least one of"),
        ("- kind: tod\n  reason: x", "must be one of secret"),
        ("- kid: todo\n  reason: x", "must be one of fingerprint"),
        ("- kind: todo\n  reason: x\n  until: soon", "must be a day"),
        ("- [", "is no YAML"),
        ("!!python/object/apply:os.system ['touch owned']", "is no YAML"),
    ],
)
def test_a_wrong_suppression_names_value_and_rule(text: str, rule: str, tmp_path: Path) -> None:
    (tmp_path / "suppressions.yaml").write_text(text)
    with pytest.raises(ConfigError, match=rule):
        load_suppressions(tmp_path / "suppressions.yaml")


def test_no_file_suppresses_nothing(tmp_path: Path) -> None:
    assert load_suppressions(tmp_path / "none.yaml") == ()
    (tmp_path / "suppressions.yaml").write_text("# nothing yet\n")
    assert load_suppressions(tmp_path / "suppressions.yaml") == ()
    assert date(2026, 1, 5) == FixedClock().now().date()
