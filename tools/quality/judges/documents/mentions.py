"""What documents and docstrings say the code has, in passing: libraries and services, tables and queues, constants."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ...facts.file import FileFacts
from ...known.project import Project
from .claims import Claim
from .names import is_read
from .tasks import is_registered

_LIBRARIES: Mapping[str, str] = MappingProxyType(
    {name: name for name in (
        "whoosh", "elasticsearch", "opensearch", "meilisearch", "typesense", "celery", "dramatiq", "huey",
        "apscheduler", "kafka", "redis", "weasyprint", "reportlab", "wkhtmltopdf", "sentry", "stripe", "twilio",
        "sendgrid", "mailgun", "minio", "alembic", "marshmallow", "sqlalchemy", "cassandra", "influxdb", "prometheus",
        "tesseract", "graphql", "keycloak", "zeromq",
    )}
    | {"rabbitmq": "rabbit|amqp|pika|kombu", "mongodb": "mongo", "memcached": "memcache", "solr": "solr"}
)  # fmt: skip
"""What a program cannot use without naming it somewhere, and what it is called there."""
_LIBRARY = re.compile(rf"(?<![\w./@-])({'|'.join(_LIBRARIES)})(?![\w/@-]|\.\w)", re.IGNORECASE)
_USES = re.compile(
    r"\b(?:runs?|uses?|using|kept|keeps?|stored|stores?|sent|sends?|queued|cached|caches?|indexed|index|built|rendered"
    r"|renders?|written|writes?|held|handled|served|drawn|printed|made|waits?|reported|go(?:es)? (?:to|through))\b"
    r"|使用|采用|基于|通过|存(?:储|放)?在|放在|缓存|由|用",
    re.IGNORECASE,
)
_NOT_SAID = re.compile(
    r"\b(?:no|not|never|none|without|instead|rather|unlike|could|can|may|might|would|should|such as|like|or"
    r"|optional(?:ly)?|if|when|later|plan(?:ned|s)?|future|former(?:ly)?|previous(?:ly)?|once|was|were|until|migrat\w+|replac\w+|compar\w+"
    r"|versus|vs|example|any|every|your|yourself|reasons?|considered|decided|rejected|removed|dropped|https?)\b|n't\b|e\.g\."
    r"|不|没|而非|可以|可选|例如|比如|或|以后|曾|原来|替换|考虑|计划|如果",
    re.IGNORECASE,
)
"""A sentence with one of these may speak of what there is not."""
_KEPT_IN = re.compile(
    r"\b(?:table|queue|collection|topic|bucket)\s+`([a-z][a-z0-9_]{3,})`|`([a-z][a-z0-9_]{3,})`\s+(?:table|queue|collection|topic)\b"
    r"|(?:表|队列|集合|主题)\s?`([a-z][a-z0-9_]{3,})`|`([a-z][a-z0-9_]{3,})`\s?(?:表(?!示|明|达)|队列)",
    re.IGNORECASE,
)


_A_WORD = re.compile(r"[A-Za-z]+|[\u4e00-\u9fff]")
_SHORTEST = 4
"""Words of a sentence; what is shorter is a heading."""


def mention_claims(project: Project, number: int, line: str) -> Iterator[Claim]:
    """Yield what a line of a document says that the program uses, and that it does not have."""
    if "`" not in line and not _LIBRARY.search(line):
        return
    for sentence in re.split(r"(?<=[.;。；])\s*", line):
        for match in _KEPT_IN.finditer(sentence):
            name = next(each for each in match.groups() if each)
            if not _NOT_SAID.search(sentence[: match.end() + 12]) and not _is_kept(project, name):
                yield Claim(number, name, "no such table or queue", "stale_path", 0.75)
        if not _USES.search(sentence) or len(_A_WORD.findall(sentence)) < _SHORTEST or _NOT_SAID.search(sentence):
            continue
        for name in {each.lower(): each for each in _LIBRARY.findall(sentence)}.values():
            if not _is_used(project, _LIBRARIES[name.lower()]):
                yield Claim(number, name, "nothing uses it", "stale_path", 0.75)


def _is_kept(project: Project, name: str) -> bool:
    """Return whether a table or queue has a name, or a class whose table is called so."""
    plain = name.replace("_", "").removesuffix("s")
    classes = {each.lower().removesuffix("s") for each in project.definitions if each[:1].isupper()}
    return is_registered(project, name) or any(len(each) > 3 and plain.endswith(each) for each in classes)


def _is_used(project: Project, shape: str) -> bool:
    named = {each.name.lower() for each in project.manifest.requirements}
    named |= {
        each.module.lower() for facts in project.of_role("source") if facts.python for each in facts.python.imports
    }
    words = (word.lower() for words in (project.names_in_code, project.words_in_data) for word in words)
    looked_for = re.compile(shape)
    return any(looked_for.search(each) for each in named) or any(looked_for.search(each) for each in words)


def docstring_claims(project: Project, facts: FileFacts) -> Iterator[Claim]:
    """Yield what documentation strings and comments of a Python file say and the code does not bear out."""
    assert facts.python is not None
    for line, name in facts.python.names_said:
        if not is_read(project, name) and not _is_anywhere(project, name):
            yield Claim(line, name, "no such name", "stale_path", 0.7)
    for each in facts.python.contradicted:
        if not each.of_class or project.definitions[each.of_class] == 1:
            yield Claim(each.line, each.text, each.reason, "stale_path", each.confidence)


def _is_anywhere(project: Project, name: str) -> bool:
    """Return whether code, settings or scripts have a name other than between back quotes."""
    if name in project.names_in_code or name in project.words_in_data or name in project.words_in_tests:
        return True
    used = re.compile(rf"(?<![\w`]){name}(?![\w`])(?!:\s)")
    texts = (project.text_of(facts.path) for facts in project.of_role("source", "test", "data"))
    return any(name in text and used.search(text) for text in texts)
