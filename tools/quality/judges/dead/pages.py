"""Templates that nothing renders, and scripts and style sheets of pages that nothing loads."""

import re
from collections.abc import Iterator

from .....state.report import Finding
from ...known.project import Project
from ...reading.templates import MARKUP
from .findings import unused

_TEMPLATE = re.compile(
    r"(^|/)(templates|views)/.+\.(html?|xhtml|j2|jinja2?|ejs|hbs|handlebars|pug|mustache|njk|twig|mako|txt|xml|tex"
    r"|mjml|eml)$"
)
_STATIC = re.compile(r"(^|/)static/.+\.(js|css)$")
_FOREIGN = re.compile(
    r"(^|/)(vendors?|lib|libs|dist|build|node_modules|plugins|ext|external|third[_-]?party|bower_components|packages"
    r"|admin|registration|account|allauth|socialaccount|security|rest_framework|django|errors?|flatpages|debug_toolbar"
    r"|themes?|overrides?|generated)/|\.min\.\w+$|[-.]\d+\.\d+"
)
"""Where others' files lie, and pages that a library asks for by their names."""
_BY_NAME = re.compile(
    r"^(4\d\d|5\d\d|index|base|layout|error|404|500|403|sw|service-worker|robots|manifest|\w+_(list|detail|form|confirm_delete"
    r"|archive\w*|filter))$"
)
"""Pages that frameworks and generic views of Django find by themselves."""
_TOKEN = re.compile(r"[\w\-.]+")
_ENDINGS = (
    *(".html", ".htm", ".xhtml", ".j2", ".jinja", ".jinja2", ".ejs", ".hbs", ".handlebars", ".pug", ".mustache"),
    *(".njk", ".twig", ".mako", ".txt", ".xml", ".tex", ".mjml", ".eml", ".js", ".css"),
)
_STEM = re.compile(r"(?<=[\"'`/\s(>])[\w\-]+(?=[\"'`\s)}])")
_MADE = re.compile(
    r"(?:\}|%s|\+\s*[\"'][\w/]*)\.(?:html?|j2|jinja2?|ejs|pug|hbs|txt|xml|tex|mjml|eml)\b"
    r"|[\"']\.(?:html|txt|xml|j2|jinja2?)[\"']"
)
"""A name of a template that is put together."""
_ENDING = re.compile(r"(?:\}|%s)([\w\-]+\.(?:html?|j2|jinja2?|txt|xml|ejs|pug|hbs|tex|mjml|eml))\b")
"""What all names of templates end with that are put together: `f"mails/{name}-body.html"`."""
_BEGINNING = re.compile(
    r"[\"'/]([\w\-]*[a-z]{3}[\w\-]*[_\-])(?:\{[^{}\"']*\}|%s)[\w\-.]*\.(?:html?|j2|jinja2?|txt|xml|ejs|pug|hbs|tex|mjml|eml)\b"
    r"|[\"'/]([\w\-]*[a-z]{3}[\w\-]*[_\-])[\"']\s*\+"
)
"""What all names of templates begin with that are put together: `f"reminder_{step}.txt"`."""
_ALL = re.compile(r"\*\*?/?[\w*]*\.(?:js|css)|\bglob\b")
_BUNDLED = re.compile(r"(^|/)(webpack|vite|rollup|gulpfile|Gruntfile|esbuild|package\.json|assets\.py|bundles?\.py)")


def dead_pages(project: Project) -> Iterator[Finding]:
    """Yield the templates and static files of an application whose names stand in no code, page or setting."""
    if project.kind in ("library", "data project"):
        return
    candidates = [path for path, facts in sorted(project.files.items()) if _is_candidate(path) and not facts.generated]
    if not candidates:
        return
    named, stems, made, bundled = _names(project)
    endings = tuple(
        {each for facts in project.of_role("source") for each in _ENDING.findall(project.text_of(facts.path))}
    )
    beginnings = tuple(
        {
            whole or begun
            for facts in project.of_role("source")
            for whole, begun in _BEGINNING.findall(project.text_of(facts.path))
        }
    )
    known = {_what(path) for path in project.files if named.get(path.rpartition("/")[2], set()) - {path}}
    for path in candidates:
        if _what(path) not in known:  # whoever names none finds them in another way
            continue
        base = path.rpartition("/")[2]
        stem = base.partition(".")[0]
        if (
            named.get(base, set()) - {path}
            or base.endswith(endings)
            or base.startswith(beginnings)
            or (bundled and _STATIC.search(path))
        ):
            continue
        loose = made or not path.endswith((".html", ".htm", ".j2", ".jinja", ".jinja2", ".txt", ".js", ".css"))
        if loose and stems.get(stem, set()) - {path}:
            continue
        if path.endswith(".js") and any(edge.target == path for edge in project.edges):
            continue
        yield _finding(project, path)


def _is_candidate(path: str) -> bool:
    stem = path.rpartition("/")[2].partition(".")[0]
    inside = path.split("templates/", 1)[-1].split("static/", 1)[-1]
    return bool(_TEMPLATE.search(path) or _STATIC.search(path)) and not (
        _FOREIGN.search(inside) or _BY_NAME.match(stem)
    )


def _names(project: Project) -> tuple[dict[str, set[str]], dict[str, set[str]], bool, bool]:
    """Return who names which file, by its name and without its ending, and whether names are made or files bundled.

    Documents name without using.
    """
    named: dict[str, set[str]] = {}
    stems: dict[str, set[str]] = {}
    made, bundled = False, False
    for path in sorted(project.paths):
        facts = project.files.get(path)
        bundled = bundled or bool(_BUNDLED.search(path) and _ALL.search(project.text_of(path)))
        if facts is None or (facts.role == "doc" and not path.endswith(MARKUP) and "templates/" not in path):
            continue
        text = project.text_of(path)
        for each in set(_TOKEN.findall(text)):
            if (name := each.strip(".-")).endswith(_ENDINGS):
                named.setdefault(name, set()).add(path)
        for each in set(_STEM.findall(text)):
            stems.setdefault(each, set()).add(path)
        made = made or (facts.role == "source" and bool(_MADE.search(text)))
    return named, stems, made, bundled


def _what(path: str) -> str:
    if _TEMPLATE.search(path):
        return "template"
    return ("script" if path.endswith(".js") else "style sheet") if _STATIC.search(path) else ""


def _finding(project: Project, path: str) -> Finding:
    return unused(
        project,
        path,
        (1, project.files[path].lines),
        rule="page",
        what=_what(path),
        name=path,
        symbol=path.rpartition("/")[2],
        reason="nothing shows or includes it",
        confidence=0.75,
    )
