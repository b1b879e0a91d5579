"""The looks of all modes, by mode."""

from collections.abc import Mapping
from pathlib import Path

from ...state.modes import Mode
from ..clock import Clock, SystemClock
from ..git import Git
from ..plan.kept import PlanNotes
from ..quality.engine import Quality
from ..quality.memory import QualityMemory
from ..sketch_cache import SketchCache
from .analyze import AnalyzeLook
from .explore import ExploreLook
from .look import Look
from .plan import PlanLook


def looks_of(
    repo: Path,
    quality: Quality,
    notes: PlanNotes,
    *,
    memory: QualityMemory | None = None,
    git: Git | None = None,
    clock: Clock | None = None,
    sketches: SketchCache | None = None,
) -> Mapping[Mode, Look]:
    """Return the look of each mode; auto has none of its own: it picks one of the others.

    Args:
        repo: The repository's folder.
        quality: Analyses it.
        notes: Hold the plan.
        memory: Tells what is new since the last session; None for looks that leave no trace.
        git: The repository's history.
        clock: Dates the analyses.
        sketches: Knows what earlier looks have read.
    """
    git = git or Git(repo)
    return {
        "explore": ExploreLook(repo, sketches),
        "analyze": AnalyzeLook(quality, memory, git, clock or SystemClock()),
        "plan": PlanLook(notes, quality, git, repo),
    }
