"""Settings that nothing reads: fields of classes of settings, and constants of modules of settings."""

import re
from collections.abc import Iterator, Set

from .....state.report import Finding
from ...facts.code import Defined
from ...facts.file import FileFacts
from ...known.project import Project
from .findings import unused

_READ_WHOLE = frozenset({"asdict", "astuple", "fields", "vars", "model_dump", "model_fields", "__dict__", "__fields__"})
_READ_BY_LIBRARIES = re.compile(
    r"^(DEBUG|TESTING|ENV|SECRET_KEY\w*|SERVER_NAME|APPLICATION_ROOT|PREFERRED_URL_SCHEME|TRUSTED_HOSTS|USE_X_SENDFILE"
    r"|PROPAGATE_EXCEPTIONS|TRAP_\w+|MAX_CONTENT_LENGTH|MAX_FORM_\w+|MAX_COOKIE_SIZE|SEND_FILE_\w+|JSON\w*|TEMPLATES_\w+"
    r"|EXPLAIN_\w+|PRESERVE_\w+|PERMANENT_\w+|PROVIDE_\w+|SESSION_\w+|REMEMBER_\w+|LOGIN_\w+|WTF_\w+|RECAPTCHA_\w+"
    r"|SQLALCHEMY_\w+|BABEL_\w+|CACHE_\w+|CELERY\w*|BROKER_\w+|RESULT_\w+|TASK_\w+|WORKER_\w+|BEAT_\w+|JWT_\w+|CORS_\w+"
    r"|RATELIMIT_\w+|LIMITER_\w+|MAIL_\w+|SECURITY_\w+|DEBUG_TB_\w+|SENTRY_\w+|REDIS_\w+|UPLOAD\w*|MONGO\w*|SWAGGER\w*"
    r"|APISPEC_\w+|OPENAPI_\w+|API_(TITLE|VERSION|SPEC\w*)|RESTX_\w+|ERROR_404_HELP|BUNDLE_ERRORS|COMPRESS_\w+|TALISMAN_\w+"
    r"|ASSETS_\w+|BCRYPT_\w+|OIDC_\w+|OAUTH\w*|LDAP_\w+|SCHEDULER_\w+|RQ_\w+|BOOTSTRAP_\w+|CKEDITOR_\w+|FLASK\w*|LOG\w*"
    r"|verbose_name|default_auto_field|default_site|model_config|case_sensitive|env_\w+|extra|frozen|orm_mode|from_attributes|arbitrary_types_allowed)$"
)
"""What frameworks and their extensions look up by themselves."""
_OF_FRAMEWORKS = frozenset(
    {
        *(
            "DEFAULT",
            "STATIC",
            "MEDIA",
            "EMAIL",
            "LOGIN",
            "LOGOUT",
            "SESSION",
            "CSRF",
            "SECURE",
            "DATA",
            "FILE",
            "DATE",
        ),
        *(
            "TIME",
            "USE",
            "INTERNAL",
            "TEST",
            "AUTH",
            "PASSWORD",
            "ROOT",
            "SITE",
            "ADMIN",
            "ALLOWED",
            "INSTALLED",
            "SERVER",
        ),
        *(
            "DATABASE",
            "CACHE",
            "CACHES",
            "LANGUAGE",
            "LANGUAGES",
            "LOCALE",
            "FORMAT",
            "FORM",
            "APPEND",
            "MESSAGE",
            "WSGI",
        ),
        *(
            "ASGI",
            "SILENCED",
            "LOGGING",
            "REST",
            "CELERY",
            "CORS",
            "SECRET",
            "X",
            "TEMPLATE",
            "TEMPLATES",
            "SENTRY",
            "PARENT",
        ),
    }
)
"""How the names begin that frameworks look up."""
_LEAST_READ = 2
"""Constants of one beginning that are read, from which on it is the repository's own."""
_PAGES = (".html", ".htm", ".j2", ".jinja", ".jinja2", ".xml", ".txt")


_MODULE = re.compile(r"(^|/)(settings|config|conf)(/\w+)?\.py$")


def dead_settings(project: Project) -> Iterator[Finding]:
    """Yield the fields of classes of settings whose names no code, string or page uses outside of what sets them."""
    if project.kind in ("library", "data project"):
        return
    named = _named(project)
    needs = {part for each in project.manifest.requirements for part in each.key.replace("_", "-").split("-")}
    yield from _of_modules(project, named, needs)
    classes = [facts for facts in project.of_role("source") if facts.python and facts.python.settings]
    for facts in classes:
        if _is_read_whole(project, facts):
            continue
        for each in facts.python.settings if facts.python else ():
            first = each.name.partition("_")[0].lower()
            known = _READ_BY_LIBRARIES.match(each.name) or (each.name.isupper() and first in needs)
            if each.name not in named and not known:
                yield _finding(project, facts, each)


def _of_modules(project: Project, named: Set[str], needs: Set[str]) -> Iterator[Finding]:
    """Yield the constants of modules of settings that nothing reads, where others that begin as they do are read.

    What a framework looks up by itself begins otherwise: `LOGIN_URL`, `EMAIL_HOST`.
    """
    for facts in project.of_role("source"):
        if facts.python is None or not _MODULE.search(facts.path):
            continue
        outside = _outside(project, facts.path)
        constants = [each for each in facts.python.constants if each.what == "constant" and "_" in each.name.strip("_")]
        for each in constants:
            first = each.name.partition("_")[0]
            beside = [other for other in constants if other is not each and other.name.partition("_")[0] == first]
            if first in _OF_FRAMEWORKS or first.lower() in needs:
                continue
            read = sum(other.name in outside for other in beside)
            if read >= _LEAST_READ and each.name not in named and not _READ_BY_LIBRARIES.match(each.name):
                yield _finding(project, facts, each)


def _outside(project: Project, path: str) -> Set[str]:
    """Return the names that other Python files use."""
    return {
        name for facts in project.files.values() if facts.python and facts.path != path for name in facts.python.used
    }


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
    return unused(
        project,
        facts.path,
        (each.line, each.end),
        what="setting",
        name=f"{each.owner}.{each.name}" if each.owner else each.name,
        reason="nothing reads it",
        severity="info",
        confidence=0.75,
    )
