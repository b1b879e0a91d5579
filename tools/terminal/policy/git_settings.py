"""What a repository brings along, made harmless: its configuration outranked, or git refused where that is not enough.

Attribute names are the repository's, so its filters and drivers cannot all be switched off by configuration; that git
can start no process at all (seccomp) is what makes them harmless. Without that, `dangerous_settings` decides.
"""

import configparser
import os
import re

SETTINGS = {
    "core.fsmonitor": "false", "core.hooksPath": "/dev/null", "core.pager": "cat", "core.attributesFile": "/dev/null",
    "core.excludesFile": "/dev/null", "core.packedGitWindowSize": "64m", "core.packedGitLimit": "256m",
    "diff.external": "", "log.showSignature": "false", "protocol.allow": "never", "safe.bareRepository": "explicit",
    "safe.directory": "*", "submodule.recurse": "false", "diff.ignoreSubmodules": "all", "color.ui": "never",
    "column.ui": "never", "blame.ignoreRevsFile": "", "mailmap.file": "", "gc.auto": "0", "maintenance.auto": "false",
}  # fmt: skip
"""Settings that outrank the repository's. `safe.directory=*` is sound only because git can start no process."""


def environment(root: str) -> dict[str, str]:
    """Return git's environment for a workspace: no other configuration, no network, no locks, no search above it."""
    fixed = {
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat",
        "GIT_CEILING_DIRECTORIES": os.path.dirname(root), "GIT_ATTR_NOSYSTEM": "1", "GIT_EDITOR": "false",
        "GIT_CONFIG_COUNT": str(len(SETTINGS)),
    }  # fmt: skip
    for place, (key, value) in enumerate(SETTINGS.items()):
        fixed[f"GIT_CONFIG_KEY_{place}"], fixed[f"GIT_CONFIG_VALUE_{place}"] = key, value
    return fixed


DANGEROUS = re.compile(
    r"(core\.(worktree|sshcommand|gitproxy|askpass|editor|alternaterefscommand)|include(if\..*)?\.path|filter\..*"
    r"|diff\..*\.(command|textconv)|gpg\..*|extensions\..*|alias\..*|merge\..*\.driver|remote\..*\.(uploadpack|vcs))",
    re.IGNORECASE,
)


def dangerous_settings(root: str) -> str | None:
    """Return why git must not run on this repository where the kernel does not keep it from starting programs."""
    folder = os.path.join(root, ".git")
    if not os.path.isdir(folder) or os.path.islink(folder):
        return ".git is no directory of the workspace"
    if os.path.exists(os.path.join(folder, "objects", "info", "alternates")):
        return "the repository borrows objects from another one"
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True, interpolation=None)
    try:
        with open(os.path.join(folder, "config"), encoding="utf-8") as file:
            parser.read_string("".join(line.lstrip() for line in file))
    except (OSError, ValueError, configparser.Error) as error:
        return f"the repository's configuration cannot be judged ({type(error).__name__})"
    for section in parser.sections():
        place = section.replace(' "', ".").rstrip('"')
        for key in parser[section]:
            if DANGEROUS.fullmatch(f"{place}.{key}"):
                return f"the repository's configuration sets {place}.{key}"
    return None
