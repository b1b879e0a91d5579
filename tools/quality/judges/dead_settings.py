"""Settings that nothing reads: fields of classes of settings."""

import re
from collections.abc import Iterator, Set

from ....state.report import Finding, Place
from ..facts import Defined, FileFacts
from ..project import Project

_READ_WHOLE = frozenset({"asdict", "astuple", "fields", "vars", "model_dump", "model_fields", "__dict__", "__fields__"})
_READ_BY_LIBRARIES = re.compile(
    r"^(DEBUG|TESTING|ENV|SECRET_KEY\w*|SERVER_NAME|APPLICATION_ROOT|PREFERRED_URL_SCHEME|TRUSTED_HOSTS|USE_X_SENDFILE"
    r"|PROPAGATE_EXCEPTIONS|TRAP_\w+|MAX_CONTENT_LENGTH|MAX_FORM_\w+|MAX_COOKIE_SIZE|SEND_FILE_\w+|JSON\w*|TEMPLATES_\w+"
    r"|EXPLAIN_\w+|PRESERVE_\w+|PERMANENT_\w+|PROVIDE_\w+|SESSION_\w+|REMEMBER_\w+|LOGIN_\w+|WTF_\w+|RECAPTCHA_\w+"
    r"|SQLALCHEMY_\w+|BABEL_\w+|CACHE_\w+|CELERY\w*|BROKER_\w+|RESULT_\w+|TASK_\w+|WORKER_\w+|BEAT_\w+|JWT_\w+|CORS_\w+"
    r"|RATELIMIT_\w+|LIMITER_\w+|MAIL_\w+|SECURITY_\w+|DEBUG_TB_\w+|SENTRY_\w+|REDIS_\w+|UPLOAD\w*|MONGO\w*|SWAGGER\w*"
    r"|APISPEC_\w+|OPENAPI_\w+|API_(TITLE|VERSION|SPEC\w*)|RESTX_\w+|ERROR_404_HELP|BUNDLE_ERRORS|COMPRESS_\w+|TALISMAN_\w+"
    r"|ASSETS_\w+|BCRYPT_\w+|OIDC_\w+|OAUTH\w*|LDAP_\w+|SCHEDULER_\w+|RQ_\w+|BOOTSTRAP_\w+|CKEDITOR_\w+|FLASK\w*|LOG\w*"
    r"|model_config|case_sensitive|env_\w+|extra|frozen|orm_mode|from_attributes|arbitrary_types_allowed)$"
)
"""What frameworks and their extensions look up by themselves."""
_PAGES = (".html", ".htm", ".j2", ".jinja", ".jinja2", ".xml", ".txt")


def dead_settings(project: Project) -> Iterator[Finding]:
    """Yield the fields of classes of settings whose names no code, string or page uses outside of what sets them."""
    if project.kind in ("library", "data project"):
        return
    classes = [facts for facts in project.of_role("source") if facts.python and facts.python.settings]
    named = _named(project) if classes else frozenset()
    needs = {part for each in project.manifest.requirements for part in each.key.replace("_", "-").split("-")}
    for facts in classes:
        if _is_read_whole(project, facts):
            continue
        for each in facts.python.settings if facts.python else ():
            first = each.name.partition("_")[0].lower()
            known = _READ_BY_LIBRARIES.match(each.name) or (each.name.isupper() and first in needs)
            if each.name not in named and not known:
                yield _finding(project, facts, each)


def _is_read_whole(project: Project, facts: FileFacts) -> bool:
    """Return whether a file, or one that imports it, reads all fields of something at once, or has a base that does."""
    near = {facts.path, *(edge.source for edge in project.edges if edge.target == facts.path)}
    read = (project.files[path] for path in near if project.files[path].role == "source")
    return any(_READ_WHOLE.intersection(each.python.used) for each in read if each.python)


def _named(project: Project) -> Set[str]:
    found: set[str] = set()
    for facts in project.files.values():
        if facts.python:
            found.update(facts.python.used, facts.python.words)
        elif facts.tree:
            found.update(facts.tree.used, facts.tree.words)
        elif facts.path.endswith(_PAGES):
            found.update(facts.words)
    return found


def _finding(project: Project, facts: FileFacts, each: Defined) -> Finding:
    return Finding(
        kind="dead_code",
        rule="setting",
        place=Place(path=facts.path, line=each.line, end=each.end),
        symbol=f"{each.owner}.{each.name}",
        severity="info",
        why="unused",
        confidence=0.75,
        facts={
            "what": "setting",
            "name": f"{each.owner}.{each.name}",
            "lines": each.end - each.line + 1,
            "reason": "nothing reads it",
        },
        evidence=project.evidence(facts.path, each.line),
    )
