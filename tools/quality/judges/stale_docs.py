"""What documents claim and the repository does not bear out: paths, commands, addresses, Python versions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from ....state.report import Finding, Place
from ..project import Project

_GUIDE = re.compile(
    r"(^|/)(readme|contributing|agents|claude|install|development|architecture|hacking)[^/]*$|^docs?/", re.I
)
_HISTORY = re.compile(r"(^|/)(changelog|changes|history|news|release|whatsnew|decisions?|adr)|/releases?/", re.I)
_CODE = re.compile(r"(?<!`)``?([^`\n]+)``?")
_CODE_RST = re.compile(r"``([^`\n]+)``")
"""In reStructuredText single quotes are references."""
_IS_RST = re.compile(r"^\.\. [\w-]+::|:\w+:`", re.MULTILINE)
_STANDS_FOR = re.compile(r"\b[A-Z](?:\.[A-Z])+\b|[<>{}*$]|\bpath/to\b|\.\.\.")
"""A path with a placeholder in it names no file."""
_LINK = re.compile(r"\[[^\]\n]*\]\(([^)#?\s]+)[^)]*\)")
_FENCE = re.compile(r"^\s*(```|~~~)\s*([\w-]*)")
_PATH = re.compile(r"^\.?[\w.-]+(?:/[\w.-]+)+/?$")
_FILE = re.compile(r"^[\w-]+\.(?:py|sh|md|rst|toml|cfg|ini|ya?ml|json|txt|sql|html|js|ts)$")
_ADDRESS = re.compile(r"^(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+(/[^\s?]*)")
_NEWER = re.compile(
    r"\bPython\s*(?:>=|≥)?\s*3\.(\d+)\s*(?:\+|or (?:newer|later|higher|above)|and (?:up|newer|later)|及以上|或更高)",
    re.I,
)
_ASKED_VERSION = re.compile(r"requires-python\s*=\s*[\"'][^\"']*>=\s*3\.(\d+)")
_SHELLS = frozenset({"", "sh", "bash", "console", "shell", "shell-session", "zsh", "text", "terminal"})
_MADE = frozenset(
    {"build", "dist", "instance", "node_modules", "venv", ".venv", "env", "site", "htmlcov", "tmp", "logs", "target"}
)
"""Folders that are made, not kept."""
_FRAMEWORK_COMMANDS = frozenset(
    {
        *("run", "shell", "routes", "db", "test", "runserver", "migrate", "makemigrations", "createsuperuser", "check"),
        *("collectstatic", "startapp", "startproject", "dbshell", "flush", "loaddata", "dumpdata", "showmigrations"),
        *("makemessages", "compilemessages", "sqlmigrate", "changepassword", "clearsessions", "inspectdb", "help"),
    }
)


@dataclass(frozen=True, slots=True)
class _Claim:
    """Something a document says that can be looked up."""

    line: int
    text: str
    reason: str
    why: str
    confidence: float


def stale_docs(project: Project) -> Iterator[Finding]:
    """Yield the claims of guides and of files under docs/ that do not hold; change logs speak of the past."""
    for facts in project.of_role("doc"):
        if not _GUIDE.search(facts.path) or _HISTORY.search(facts.path) or facts.path.endswith((".html", ".j2")):
            continue
        for claim in sorted(set(_claims(project, facts.path)), key=lambda claim: (claim.line, claim.text)):
            yield Finding(
                kind="stale_docs",
                place=Place(path=facts.path, line=claim.line),
                severity="medium" if claim.why == "stale_command" and "/" not in facts.path else "low",
                why=claim.why,
                confidence=claim.confidence,
                facts={"claim": claim.text, "reason": claim.reason},
                evidence=project.evidence(facts.path, claim.line).partition("\n")[0].strip()[:200],
            )


def _claims(project: Project, path: str) -> Iterator[_Claim]:
    text = project.text_of(path)
    quoted = _CODE_RST if path.endswith(".rst") or _IS_RST.search(text) else _CODE
    asked = _ASKED_VERSION.search(project.text_of("pyproject.toml"))
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        if match := _FENCE.match(line):
            fence = "" if fence else (match[2] or "plain")
            continue
        if fence or line.startswith(("    ", "\t")):
            if fence.replace("plain", "") in _SHELLS:
                yield from _command_claims(project, number, line)
            continue
        for code in quoted.findall(line):
            yield from _code_claims(project, path, number, code.strip())
        for link in _LINK.findall(line):
            if "://" not in link and not link.startswith(("mailto:", "/", "<")) and not _there(project, path, link):
                yield _Claim(number, link, "no such file", "stale_path", 0.85)
        if asked:
            yield from _version_claims(int(asked[1]), number, line)


def _code_claims(project: Project, path: str, number: int, code: str) -> Iterator[_Claim]:
    """Yield what is wrong with a piece of code in running text: a path, a file, a command, an address."""
    if _STANDS_FOR.search(code):
        return
    if address := _ADDRESS.match(code):
        if not _is_served(project, address[1]):
            yield _Claim(number, code.partition("?")[0], "no such address", "stale_command", 0.75)
    elif _PATH.match(code):
        first = code.removeprefix("./").partition("/")[0]
        known = (
            code.startswith("./")
            or project.exists(first)
            or project.exists(f"{PurePosixPath(path).parent}/{first}".removeprefix("./"))
        )
        is_file = code.endswith("/") or "." in code.rpartition("/")[2]  # `owner/name` may be anything
        made = first in _MADE or "/_build" in code
        if known and is_file and not made and not _there(project, path, code):
            yield _Claim(number, code, "no such file", "stale_path", 0.85)
    elif _FILE.match(code) and "/" not in path:  # a tutorial speaks of files its reader is going to make
        if code not in project.base_names and not code.startswith(("example", "my", "foo", "your")):
            yield _Claim(number, code, "no such file", "stale_path", 0.5)
    elif " " in code:
        yield from _command_claims(project, number, code)


def _there(project: Project, path: str, named: str) -> bool:
    """Return whether a path exists from the root, from the document's folder, or anywhere as an ending."""
    plain = re.sub(r":\d+(-\d+)?$", "", named).removeprefix("./").rstrip("/")
    beside = PurePosixPath(path).parent
    parts: list[str] = []
    for part in (beside / plain).parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    near = "/".join(parts)
    return any(project.exists(each) for each in (plain, near, f"src/{plain}")) or project.ends_with(plain)


def _command_claims(project: Project, number: int, line: str) -> Iterator[_Claim]:
    """Yield what is wrong with a command line: a script, a command of manage.py, a make target that is not there."""
    words = line.strip().removeprefix("$ ").removeprefix("> ").split()
    while words and (words[0] in ("sudo", "poetry", "uv", "pipenv", "run", "time", "env") or "=" in words[0]):
        words = words[1:]
    if len(words) < 2:
        return
    program, first = words[0], words[1]
    if re.fullmatch(r"python[\d.]*|py", program):
        yield from _python_claims(project, number, words[1:])
    elif program in ("sh", "bash") and _PATH.match(first) and not project.exists(first.removeprefix("./")):
        yield _Claim(number, f"{program} {first}", "no such script", "stale_command", 0.85)
    elif program == "make" and re.fullmatch(r"[\w.-]+", first) and not _is_target(project, first):
        yield _Claim(number, f"make {first}", "no such make target", "stale_command", 0.85)
    elif program in ("npm", "yarn", "pnpm") and first == "run" and len(words) > 2 and project.exists("package.json"):
        if f'"{words[2]}"' not in project.text_of("package.json"):
            yield _Claim(number, " ".join(words[:3]), "no such command", "stale_command", 0.85)
    elif program in ("pip", "pip3") and "-r" in words[:-1]:
        wanted = words[words.index("-r") + 1]
        if not project.ends_with(wanted):
            yield _Claim(number, f"-r {wanted}", "no such file", "stale_command", 0.85)


def _python_claims(project: Project, number: int, words: list[str]) -> Iterator[_Claim]:
    script, command = words[0], words[1] if len(words) > 1 else ""
    if script == "-m" and len(words) > 1:
        top = words[1].partition(".")[0]
        ours = project.exists(top) or project.exists(f"src/{top}")
        if ours and "." in words[1] and words[1] not in project.modules:
            yield _Claim(number, f"python -m {words[1]}", "no such script", "stale_command", 0.8)
        return
    if not script.endswith(".py"):
        return
    if not project.ends_with(script.removeprefix("./")):
        yield _Claim(number, f"python {script}", "no such script", "stale_command", 0.85)
    elif script.endswith("manage.py") and re.fullmatch(r"[\w:-]+", command) and not _is_command(project, command):
        yield _Claim(number, f"{script} {command}", "no such command", "stale_command", 0.85)


def _is_command(project: Project, name: str) -> bool:
    """Return whether a management command is there: named by a string, as a function, or as a file of Django's."""
    plain = name.replace("-", "_")
    if name in _FRAMEWORK_COMMANDS or any(path.endswith(f"/commands/{plain}.py") for path in project.files):
        return True
    return any(f'"{name}"' in text or f"'{name}'" in text or f"def {plain}(" in text for text in project.starting_texts)


def _is_target(project: Project, name: str) -> bool:
    makefiles = [path for path in ("Makefile", "makefile", "GNUmakefile") if project.exists(path)]
    nested = project.ends_with("Makefile") and not makefiles
    pattern = re.compile(
        rf"^(?:\.PHONY:.*\b)?{re.escape(name)}\b[^=\n]*:|^\.PHONY:.*\b{re.escape(name)}\b", re.MULTILINE
    )
    return nested or any(pattern.search(project.text_of(path)) for path in makefiles)


def _is_served(project: Project, address: str) -> bool:
    """Return whether some route ends as the address does; without any route in the code nothing can be said."""
    routes = {_shape(route) for facts in project.of_role("source") if facts.python for route in facts.python.routes}
    wanted = _shape(address)
    return (
        not routes
        or any(wanted == route or wanted.endswith(route) for route in routes if route != "/")
        or wanted == "/"
    )


def _shape(route: str) -> str:
    plain = re.sub(r"<[^>]*>|\{[^}]*\}|:\w+|\(\?P[^)]*\)", "{}", "/" + route.strip("/^$"))
    return plain.rstrip("/") or "/"


def _version_claims(asked: int, number: int, line: str) -> Iterator[_Claim]:
    claimed = _NEWER.search(line)
    if claimed and int(claimed[1]) < asked:
        reason = f"pyproject.toml asks for 3.{asked}"
        yield _Claim(number, claimed[0], reason, "stale_command", 0.85)
