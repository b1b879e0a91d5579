"""Analyses of earlier sessions: what is new since the last one, and how the numbers went."""

import json
from collections import Counter
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ...state.report import Finding, Report
from ...state.session_report import TrendPoint
from ..files import locked, write_atomic
from .baseline import FINDINGS, compared

MOST_POINTS = 500
"""Of the trend; the oldest go first."""
_POINTS = TypeAdapter(list[TrendPoint])


class QualityMemory:
    """Keeps the findings of the running and of the last session, and the trend, in `findings.json` of our folder."""

    def __init__(self, home: Path) -> None:
        self._path = home / "findings.json"

    def compare_and_keep(
        self, report: Report, session: str, now: datetime, renames: dict[str, str] | None = None
    ) -> Report:
        """Return the report compared with the last analysis of another session; remember it for the next.

        The first analysis of a repository has nothing to compare with: nothing is new.

        Raises:
            StoreError: The file cannot be written.
        """
        with locked(self._path.with_suffix(".lock")):
            kept = self._load()
            if kept.get("session") != session and "findings" in kept:
                kept["before"] = kept["findings"]
            before = _findings(kept.get("before"))
            points = [point for point in _points(kept.get("trend")) if point.session != session or not session]
            points.append(_point(report, session, now))
            plain = {
                "session": session,
                "before": kept.get("before"),
                "findings": [asdict(finding) for finding in report.findings],
                "trend": [asdict(point) for point in points[-MOST_POINTS:]],
            }
            write_atomic(self._path, json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace"))
        return report if before is None else compared(report, before, renames)

    def trend(self) -> list[TrendPoint]:
        """Return one point for each session that analysed something, oldest first."""
        return _points(self._load().get("trend"))

    def _load(self) -> dict[str, Any]:
        """Return what is kept; a damaged file is as good as none: the next analysis writes it again."""
        try:
            plain = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return plain if isinstance(plain, dict) else {}


def _findings(plain: Any) -> tuple[Finding, ...] | None:
    try:
        return None if plain is None else FINDINGS.validate_python(plain)
    except ValidationError:
        return None


def _points(plain: Any) -> list[TrendPoint]:
    try:
        return _POINTS.validate_python(plain or [])
    except ValidationError:
        return []


def _point(report: Report, session: str, now: datetime) -> TrendPoint:
    return TrendPoint(
        at=now.isoformat(timespec="seconds"),
        session=session,
        head=report.head,
        counts=dict(Counter(finding.severity for finding in report.findings)),
        files=report.files,
        lines=report.lines,
    )
