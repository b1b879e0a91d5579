"""CPU seconds of a first analysis and of one after a single edit: `python -m benchmarks quality_speed [REPOSITORY]`."""

import random
import resource
import tempfile
from pathlib import Path
from typing import Any

from maintainer.tools.quality.engine import Quality

FILES = 3_000
SEED = 7


def run(argv: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        repo = Path(argv[0]).resolve() if argv else make(Path(folder) / "repo")
        first, report = _timed(repo, home)
        same, _ = _timed(repo, home)
        edited = _edit(repo) if not argv else None
        again, after = _timed(repo, home)
    return {
        "files": report.files,
        "lines": report.lines,
        "findings": len(report.findings),
        "first_cpu_s": first,
        "unchanged_cpu_s": same,
        "after_one_edit_cpu_s": again if edited else None,
        "read_again": after.read_again,
    }


def _timed(repo: Path, home: Path) -> tuple[float, Any]:
    before = _cpu_s()
    quality = Quality(repo, home)
    report = quality.analyze()
    quality.close()
    return round(_cpu_s() - before, 2), report


def _cpu_s() -> float:
    """Return the seconds of this process and of the programs it has waited for."""
    use = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in use)


def _edit(repo: Path) -> Path:
    path = next(iter(sorted(repo.rglob("*.py"))))
    path.write_text(path.read_text("utf-8") + "\n# TODO: one more\n", "utf-8")
    return path


def make(repo: Path) -> Path:
    """Write a repository of `FILES` Python files of about 150 lines that import each other downwards."""
    chance = random.Random(SEED)
    for number in range(FILES):
        path = repo / f"package{number % 40}" / f"module{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        needs = [chance.randrange(number) for _ in range(min(number, 4))]
        lines = [f"from package{need % 40} import module{need}" for need in needs]
        for function in range(12):
            lines += ["", "", f"def work_{number}_{function}(first, second=None):"]
            for branch in range(chance.randrange(1, 6)):
                lines += [f"    if first == {branch}:", f"        return second or {chance.randrange(999)}"]
            called = (
                f"module{needs[function % len(needs)]}.work_{needs[function % len(needs)]}_{function}(first)"
                if needs
                else "0"
            )
            lines.append(f"    return first + {number} + {called}")
        path.write_text("\n".join(lines) + "\n", "utf-8")
    return repo
