"""Record real runs without a model: `python docs/record_runs.py FOLDER ...` writes docs/guide/runs/NAME.md for each.

The folders are repositories, for example source distributions from the package index, unpacked.
"""

import sys
import tempfile
import time
from pathlib import Path

from maintainer.graph import Maintainer
from maintainer.state.modes import Mode

RUNS = Path(__file__).parent / "guide" / "runs"
REQUESTS: list[tuple[Mode, str]] = [
    ("explore", "How is this built, and where does it start?"),
    ("explore", "这个项目是怎么组织的?"),
    ("analyze", "What should be repaired first?"),
    ("analyze", "最值得先修的问题有哪些?"),
    ("plan", "Plan the repair of the worst problem"),
    ("plan", "下一步做什么?"),
    ("auto", "Where are errors turned into messages?"),
    ("auto", "哪里读取配置?"),
]


def record(repo: Path) -> str:
    """Return the page about one repository: every request with its answer, its mode and its time."""
    parts = [
        f"# {repo.name}\n",
        f"Recorded by `python docs/record_runs.py {repo.name}`: no model, one session of {len(REQUESTS)} turns.\n",
    ]
    with tempfile.TemporaryDirectory() as home, Maintainer(repo, home=home, model="none") as maintainer:
        for mode, request in REQUESTS:
            started = time.process_time()
            answer = maintainer.run(request, mode=mode)
            used = time.process_time() - started
            print(f"{repo.name}: {mode} {request} ({used:.1f} s CPU)", file=sys.stderr)
            parts.append(f'## `maintainer {mode} "{request}"`\n')
            parts.append(f"Mode {answer.mode}, {used:.1f} s of CPU, {len(answer.citations)} citations checked.\n")
            parts.append(f"```text\n{answer.text.replace(str(repo), repo.name).strip()}\n```\n")
    return "\n".join(parts)


def main(folders: list[str]) -> None:
    """Record every folder."""
    RUNS.mkdir(parents=True, exist_ok=True)
    for folder in folders:
        repo = Path(folder).resolve()
        (RUNS / f"{repo.name}.md").write_text(record(repo), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
