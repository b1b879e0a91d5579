"""`python -m benchmarks NAME [options]`: run one benchmark, print its JSON and keep it under benchmarks/results/."""

import importlib
import json
import platform
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("[a-z]*.py") if "def run(" in path.read_text("utf-8"))


def main(argv: list[str]) -> int:
    if not argv or argv[0] not in NAMES:
        print(f"usage: python -m benchmarks NAME [options]\nbenchmarks: {', '.join(NAMES)}", file=sys.stderr)
        return 0 if argv[:1] in (["-h"], ["--help"]) else 2
    started = time.time()
    result = importlib.import_module(f"benchmarks.{argv[0]}").run(argv[1:])
    record = {
        "benchmark": argv[0],
        "options": [Path(each).name if each.startswith("/") else each for each in argv[1:]],
        "seconds": round(time.time() - started, 1),
        "python": platform.python_version(),
        "result": result,
    }
    text = json.dumps(record, indent=2, ensure_ascii=False)
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / f"{argv[0]}.json").write_text(text + "\n", "utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
