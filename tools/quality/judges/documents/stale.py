"""What documents claim and the repository does not bear out: paths, commands, addresses, Python versions."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath

from .....state.report import Finding, Place
from ...known.paths import is_example
from ...known.project import Project
from .addresses import address_claims
from .bands import band_claims, numbers_of, port_claims
from .claims import PATH, Claim, is_there
from .command_lines import listed_claims, only_program
from .commands import command_claims, may_run, runnable
from .defaults import default_claims
from .lists import list_claims
from .mentions import docstring_claims, mention_claims
from .names import example_claims, import_claims, name_claims
from .numbers import Constant, constants_of, number_claims
from .programs import option_claims
from .routes import Route, routes_of
from .rows import row_claims, rows_of

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
_FILE = re.compile(r"^[\w-]+\.(?:py|sh|md|rst|toml|cfg|ini|ya?ml|json|txt|sql|html|js|ts)$")
_SCRIPT = re.compile(r"\.(?:py|sh|sql|md|ya?ml|toml|ini|cfg|js|ts)$")
"""What an application's own guide can only mean in its own folders."""
_CALLS_AN_ADDRESS = re.compile(r"^(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+/")
_ENTRY = re.compile(r"^[\s│|]*[├└|`+][─-]{1,3}\s*([\w.-]+/?)(?:\s|$)")
"""A line of a tree of files."""
_ARROW = re.compile(r"[▶◀►◄▼▲→←]|->|<-")
"""What a drawing of a flow has, and a tree of files has not."""
_FOLDER = re.compile(r"^\s*([\w.-]+/)(?:\s{2,}\S.*)?$")
"""A folder, alone or with what it is for."""
_PYTHON = frozenset({"python", "py", "pycon", "python3"})
_NEWER = re.compile(
    r"\bPython\s*(?:>=|≥)?\s*3\.(\d+)\s*(?:\+|or (?:newer|later|higher|above)|and (?:up|newer|later)|及以上|或更高)",
    re.I,
)
_ASKS = re.compile(
    r"requir|support|need|install|minimum|at least|works? (?:with|on)|需要|支持|要求|至少", re.IGNORECASE
)
"""What a document below the root says where it speaks of this project, not of Python."""
_ASKED_VERSION = re.compile(r"requires-python\s*=\s*[\"'][^\"']*>=\s*3\.(\d+)")
_SHELLS = frozenset({"", "sh", "bash", "console", "shell", "shell-session", "zsh", "text", "terminal"})
_MADE = frozenset(
    {"build", "dist", "instance", "node_modules", "venv", ".venv", "env", "site", "htmlcov", "tmp", "logs", "target"}
)
"""Folders that are made, not kept."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What the claims of all documents are looked up in."""

    routes: Sequence[Route]
    constants: Sequence[Constant]
    rows: Mapping[str, Sequence[Constant]]
    numbers: Mapping[str, Set[Decimal]]
    program: str
    """Where the only program with commands starts."""
    runnable: Set[str]
    """The first words of the commands that can be judged."""


def stale_docs(project: Project) -> Iterator[Finding]:
    """Yield the claims of guides and of files under docs/ that do not hold; change logs speak of the past."""
    for path in filter(is_example, sorted(project.paths)):
        for claim in example_claims(project, project.text_of(path)):
            yield _finding(project, path, claim)
    for facts in project.of_role("source"):
        if facts.python:
            for claim in docstring_claims(project, facts):
                yield _finding(project, facts.path, claim)
    known = _Known(
        routes_of(project),
        constants_of(project),
        rows_of(project),
        numbers_of(project),
        only_program(project),
        runnable(project),
    )
    for facts in project.of_role("doc"):
        if not _GUIDE.search(facts.path) or _HISTORY.search(facts.path) or facts.path.endswith((".html", ".j2")):
            continue
        for claim in sorted(set(_claims(project, facts.path, known)), key=lambda claim: (claim.line, claim.text)):
            yield _finding(project, facts.path, claim)


def _finding(project: Project, path: str, claim: Claim) -> Finding:
    return Finding(
        kind="stale_docs",
        place=Place(path=path, line=claim.line),
        severity="medium" if claim.why == "stale_command" and "/" not in path else "low",
        why=claim.why,
        confidence=claim.confidence,
        facts={"claim": claim.text, "reason": claim.reason},
        evidence=project.evidence(path, claim.line).partition("\n")[0].strip()[:200],
    )


def _claims(project: Project, path: str, known: _Known) -> Iterator[Claim]:
    text = project.text_of(path)
    quoted = _CODE_RST if path.endswith(".rst") or _IS_RST.search(text) else _CODE
    asked = _ASKED_VERSION.search(project.text_of("pyproject.toml"))
    ours = "/" not in path or project.kind != "library"  # a library's documents speak of what its readers will write
    yield from list_claims(project, text) if ours else ()
    about = f"{path} {text.lstrip().partition(chr(10))[0]}"
    fence, heading, head = "", "", ""
    for number, line in enumerate(text.splitlines(), 1):
        if match := _FENCE.match(line):
            fence = "" if fence else (match[2] or "plain")
            continue
        yield from address_claims(project, known.routes, number, line, text) if ours else ()
        if fence or line.startswith(("    ", "\t")):
            yield from _block_claims(project, known, number, line, fence, ours)
            continue
        heading = line if line.startswith("#") else heading
        head = (head or line) if line.startswith("|") else ""
        codes = quoted.findall(line) if "`" in line else []
        for code in codes:
            yield from _code_claims(project, known, path, number, code.strip(), ours)
            yield from name_claims(project, number, code.strip(), f"{head or heading}\n{line}") if ours else ()
        yield from option_claims(project, number, codes) if ours else ()
        yield from listed_claims(project, known.program, number, line, codes) if ours else ()
        yield from default_claims(project, number, line, head) if ours else ()
        yield from number_claims(known.constants, number, line, about) if ours else ()
        yield from row_claims(known.rows, number, line, heading) if ours else ()
        yield from band_claims(known.numbers, number, line) if ours else ()
        yield from port_claims(project, number, line) if ours else ()
        yield from mention_claims(project, number, line) if ours else ()
        for link in _LINK.findall(line) if "](" in line else ():
            if "://" not in link and not link.startswith(("mailto:", "/", "<")) and not is_there(project, path, link):
                yield Claim(number, link, "no such file", "stale_path", 0.85)
        if asked:
            yield from _version_claims(int(asked[1]), number, line, aside="/" in path)


def _block_claims(project: Project, known: _Known, number: int, line: str, fence: str, ours: bool) -> Iterator[Claim]:
    """Yield what is wrong with a line of a block of code: a command, an import, an entry of a tree of files."""
    if ours and not _ARROW.search(line) and (entry := _ENTRY.match(line) or _FOLDER.match(line)):
        name = entry[1].rstrip("/")
        if not _STANDS_FOR.search(name) and name not in _MADE and not _is_name_of_something(project, name):
            yield Claim(number, entry[1], "no such file", "stale_path", 0.7)
    elif fence.replace("plain", "") in _SHELLS:
        yield from command_claims(project, number, line, ours) if may_run(known.runnable, line) else ()
    elif fence in _PYTHON and ours:
        yield from import_claims(project, number, line)


def _is_name_of_something(project: Project, name: str) -> bool:
    return project.ends_with(name) or any(f"/{name}/" in f"/{path}" for path in project.paths)


def _code_claims(project: Project, known: _Known, path: str, number: int, code: str, ours: bool) -> Iterator[Claim]:
    """Yield what is wrong with a piece of code in running text: a path, a file, a command."""
    if _STANDS_FOR.search(code) or _CALLS_AN_ADDRESS.match(code):
        return
    if PATH.match(code):
        first = code.removeprefix("./").partition("/")[0]
        near = (
            code.startswith("./")
            or project.exists(first)
            or project.exists(f"{PurePosixPath(path).parent}/{first}".removeprefix("./"))
        )
        own_guide = project.kind != "library" and bool(_SCRIPT.search(code))
        near = near or (own_guide and ("/" not in path or _is_folder(project, str(PurePosixPath(code).parent))))
        is_file = code.endswith("/") or "." in code.rpartition("/")[2]  # `owner/name` may be anything
        made = first in _MADE or "/_build" in code
        if near and is_file and not made and not is_there(project, path, code):
            yield Claim(number, code, "no such file", "stale_path", 0.85)
    elif _FILE.match(code) and "/" not in path:  # a tutorial speaks of files its reader is going to make
        if code not in project.base_names and not code.startswith(("example", "my", "foo", "your")):
            yield Claim(number, code, "no such file", "stale_path", 0.5)
    elif " " in code or code.startswith("./"):
        yield from command_claims(project, number, code, ours) if may_run(known.runnable, code) else ()


def _is_folder(project: Project, ending: str) -> bool:
    """Return whether a folder of the repository ends so: `infrastructure` of `src/shop/infrastructure`."""
    return any(f"/{ending}/" in f"/{facts.path}" for facts in project.of_role("source"))


def _version_claims(asked: int, number: int, line: str, *, aside: bool) -> Iterator[Claim]:
    claimed = _NEWER.search(line) if "3." in line else None
    if claimed and int(claimed[1]) < asked and (not aside or _ASKS.search(line)):
        reason = f"pyproject.toml asks for 3.{asked}"
        yield Claim(number, claimed[0], reason, "stale_command", 0.85)
