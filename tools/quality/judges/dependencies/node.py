"""What scripts import and package.json does not declare, and what it declares and nothing imports."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from .....state.report import Finding, Place
from ....manifest import Requirement
from ...known.project import Project
from ...syntax.functions import SCRIPTS
from .findings import unneeded

_NOT_IMPORTED = re.compile(
    r"^(react|react-dom|next|nuxt|vite|rollup|webpack.*|parcel|esbuild|typescript|tslib|core-js|@types/.*|eslint.*|prettier.*"
    r"|babel.*|@babel/.*|postcss.*|autoprefixer|tailwindcss|sass|less|.*-cli|.*-loader|.*-plugin(-.*)?|.*-preset(-.*)?"
    r"|concurrently|nodemon|pm2|cross-env|husky|serve|http-server|jest.*|vitest|mocha|bootstrap|.*fontawesome.*|.*-css"
    r"|sqlite3|better-sqlite3|pg|mysql2?|mongodb|regenerator-runtime|ts-node|tsx|@fontsource.*|normalize\.css)$"
)
"""What is run, loaded by another package, or only styles a page."""
_BUILT_IN = frozenset(
    {
        *(
            "assert",
            "async_hooks",
            "buffer",
            "child_process",
            "cluster",
            "console",
            "constants",
            "crypto",
            "dgram",
            "dns",
        ),
        *("domain", "events", "fs", "http", "http2", "https", "inspector", "module", "net", "os", "path", "perf_hooks"),
        *(
            "process",
            "punycode",
            "querystring",
            "readline",
            "repl",
            "stream",
            "string_decoder",
            "test",
            "timers",
            "tls",
        ),
        *("tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib"),
    }
)
_PACKAGE = re.compile(r"^(@[a-z0-9][\w.-]*/[\w.-]+|[a-z0-9][\w.-]*)")
_SETTINGS = re.compile(r"(\.config\.[cm]?[jt]s|\.babelrc|\.eslintrc\w*|\.html?|tsconfig[\w.]*\.json|angular\.json)$")


def node_dependencies(project: Project) -> Iterator[Finding]:
    """Yield undeclared and unused packages of a repository whose requirements are in one package.json or several."""
    declared = [each for each in project.manifest.requirements if each.ecosystem == "node"]
    if not declared:
        return
    used = _imported(project)
    yield from _unused(project, declared, used)
    yield from _undeclared(project, declared, used)


def _imported(project: Project) -> dict[str, list[tuple[str, int]]]:
    """Return, by package, where it is imported."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for facts in project.files.values():
        for each in facts.tree.imports if facts.tree and facts.language in SCRIPTS else ():
            if (match := _PACKAGE.match(each.module)) and ":" not in each.module:
                found[match[1]].append((facts.path, each.line))
    return found


def _unused(
    project: Project, declared: Sequence[Requirement], used: dict[str, list[tuple[str, int]]]
) -> Iterator[Finding]:
    settings = "\n".join(project.text_of(path) for path in sorted(project.paths) if _SETTINGS.search(path))
    for each in declared:
        if each.development or each.name in used or _NOT_IMPORTED.match(each.name) or each.name in settings:
            continue
        if each.name in _scripts(project.text_of(each.path)):
            continue
        yield unneeded(project, each, each.name, 0.7)


def _scripts(text: str) -> str:
    """Return the command lines of a package.json."""
    try:
        return " ".join(map(str, json.loads(text).get("scripts", {}).values()))
    except (ValueError, AttributeError):
        return ""


def _undeclared(
    project: Project, declared: Sequence[Requirement], used: dict[str, list[tuple[str, int]]]
) -> Iterator[Finding]:
    known = {each.name for each in declared}
    paths = "\n".join(
        project.text_of(path) for path in sorted(project.paths) if "tsconfig" in path or "jsconfig" in path
    )
    for package, places in sorted(used.items()):
        ours = [place for place in places if project.files[place[0]].role == "source"]
        plain = package.partition("/")[0]
        if not ours or package in known or plain in _BUILT_IN or f"@types/{package}" in known or f'"{plain}' in paths:
            continue
        path, line = ours[0]
        yield Finding(
            kind="undeclared_dependency",
            rule=package,
            place=Place(path=path, line=line),
            others=tuple(Place(path=other, line=at) for other, at in ours[1:4]),
            severity="medium",
            why="undeclared",
            confidence=0.7,
            facts={"package": package},
            evidence=project.evidence(path, line),
        )
