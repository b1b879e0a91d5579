"""Recall and precision of `analyze` against a ground truth: `python -m benchmarks quality [APP TRUTH.json]`."""

import json
import tempfile
import time
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from maintainer.state.report import Finding, Place
from maintainer.tools.quality.engine import Quality

EXAMPLES = Path(__file__).parent.parent / "examples"
SLACK = 2
"""Lines by which a finding may miss the place of the truth."""


def run(argv: list[str]) -> dict[str, Any]:
    if argv:
        app, truth_file = Path(argv[0]).resolve(), Path(argv[1])
        return measure(app, json.loads(truth_file.read_text("utf-8"))["debt"])
    with tempfile.TemporaryDirectory() as folder:
        spec = spec_from_file_location("make_shop_history", EXAMPLES / "make_shop_history.py")
        assert spec is not None
        assert spec.loader is not None
        maker = module_from_spec(spec)
        spec.loader.exec_module(maker)
        app = maker.make(Path(folder) / "shop")
        return measure(app, json.loads((EXAMPLES / "shop_truth.json").read_text("utf-8"))["debt"])


def measure(app: Path, truth: list[dict[str, Any]]) -> dict[str, Any]:
    quality = Quality(app, None)
    started = time.process_time()
    report = quality.analyze()
    seconds = time.process_time() - started
    quality.close()
    if not report.head:
        truth = [debt for debt in truth if debt.get("needs") != "history"]
    missed = [debt for debt in truth if not any(is_about(finding, debt) for finding in report.findings)]
    outside = [finding for finding in report.findings if not any(is_about(finding, debt) for debt in truth)]
    return {
        "truth": len(truth),
        "findings": len(report.findings),
        "recall": round(1 - len(missed) / len(truth), 3),
        "in_truth": round(1 - len(outside) / max(1, len(report.findings)), 3),
        "by_kind": dict(Counter(finding.kind for finding in report.findings)),
        "missed": [f"{debt['kind']} {debt['path']}:{debt['lines'][0]} ({debt['why']})" for debt in missed],
        "outside_the_truth": [f"{finding.kind} {finding.place} {finding.symbol}" for finding in outside],
        "cpu_s": round(seconds, 2),
    }


def is_about(finding: Finding, debt: dict[str, Any]) -> bool:
    """Return whether a finding is the debt: same kind, and one of its places touches one of the debt's."""
    wanted = [place for place in (debt, debt.get("other")) if place]
    return finding.kind == debt["kind"] and any(
        _touches(place, each) for place in (finding.place, *finding.others) for each in wanted
    )


def _touches(place: Place, wanted: dict[str, Any]) -> bool:
    first, last = wanted["lines"]
    return place.path == wanted["path"] and place.line <= last + SLACK and (place.end or place.line) >= first - SLACK
