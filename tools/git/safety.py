"""How git is kept from running a hostile repository's programs, and from reading what is not the repository's.

Attribute and driver names are the repository's own, so no list of overridden settings is complete. Git therefore
works in an empty folder of ours that borrows only the repository's objects (`make_shadow`): no setting, hook, filter,
attribute or work tree of the repository is in sight. The repository's own folder is asked for HEAD alone.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from ..processes import BARE_ENVIRONMENT

ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        **BARE_ENVIRONMENT,
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_COUNT": "4",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_KEY_0": "safe.directory",  # harmless here: see above; the owner of the folder does not matter
        "GIT_CONFIG_KEY_1": "core.fsmonitor",
        "GIT_CONFIG_KEY_2": "core.hooksPath",
        "GIT_CONFIG_KEY_3": "log.mailmap",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_VALUE_0": "*",
        "GIT_CONFIG_VALUE_1": "false",
        "GIT_CONFIG_VALUE_2": os.devnull,
        "GIT_CONFIG_VALUE_3": "false",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }
)
"""The whole environment of git: nothing of the user's, no prompt, no network, no lock."""


def make_shadow(folder: Path, object_format: str) -> None:
    """Fill an empty folder so that git takes it for a bare repository without refs; objects come by environment.

    Args:
        folder: An existing, empty folder.
        object_format: `sha1` or `sha256`.
    """
    for name in ("objects", "refs"):
        (folder / name).mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/unborn\n", "utf-8")
    settings = f"[core]\nrepositoryformatversion = 1\nbare = true\n[extensions]\nobjectformat = {object_format}\n"
    (folder / "config").write_text(settings, "utf-8")


def git_dir(repo: Path) -> tuple[Path | None, str]:
    """Return the repository's git folder, or None and the reason.

    A `.git` file (worktree, submodule) is followed only where the folder it names points back to this repository:
    otherwise an unpacked archive could show us the history of any repository on the machine.
    """
    mark = repo / ".git"
    if mark.is_symlink() and not mark.resolve().is_relative_to(repo):
        return None, f"{mark} is a link that leads outside the repository; not followed"
    if mark.is_dir():
        if (mark / "commondir").exists():
            return None, f"{mark} borrows another repository's data (commondir); not followed"
        if leak := next((inner for inner in mark.iterdir() if not inner.resolve().is_relative_to(repo)), None):
            return None, f"{leak} is a link that leads outside the repository; not followed"
        return mark, ""
    if mark.is_file():
        pointed = _pointed_dir(mark)
        return pointed, "" if pointed else f"{mark} names a git folder that does not point back here; not followed"
    outer = next((parent for parent in repo.parents if (parent / ".git").exists()), None)
    if outer is not None:
        return None, f"no git history of its own: it is a folder of the repository {outer}; give that path for history"
    return None, f"no git history: {repo} has no .git"


def _pointed_dir(mark: Path) -> Path | None:
    """Return the folder a `.git` file names, if it is a worktree's or submodule's and points back."""
    pointer = _first_line(mark)
    if not pointer.startswith("gitdir:"):
        return None
    folder = (mark.parent / pointer.removeprefix("gitdir:").strip()).resolve()
    common = _first_line(folder / "commondir")
    if common:  # a worktree's: NAME/.git/worktrees/ours, whose `gitdir` names our .git
        inside = folder.parent.name == "worktrees" and (folder / common).resolve() == folder.parent.parent
        return folder if inside and Path(os.path.abspath(folder / _first_line(folder / "gitdir"))) == mark else None
    work_tree = re.search(r"^\s*worktree\s*=\s*(.+?)\s*$", _text(folder / "config"), re.MULTILINE)  # a submodule's
    return folder if work_tree and (folder / work_tree.group(1)).resolve() == mark.parent else None


def _first_line(path: Path) -> str:
    return _text(path).partition("\n")[0].strip()


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "surrogateescape") if path.is_file() else ""
    except OSError:
        return ""
