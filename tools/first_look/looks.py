"""The looks of all modes, by mode."""

from collections.abc import Mapping
from pathlib import Path

from ...state.modes import Mode
from ..quality.engine import Quality
from .analyze import AnalyzeLook
from .explore import ExploreLook
from .look import Look
from .plan import PlanLook, PlanNotes


def looks_of(repo: Path, quality: Quality, notes: PlanNotes) -> Mapping[Mode, Look]:
    """Return the look of each mode; auto has none of its own: it picks one of the others."""
    return {"explore": ExploreLook(repo), "analyze": AnalyzeLook(quality), "plan": PlanLook(notes)}
