"""Keys and passwords that stand in files."""

from collections.abc import Iterator

from .....state.report import Finding, Place, Severity
from ....secrets import BY_WORD, mask
from ...known.paths import is_product
from ...known.project import Project

_PASTED = frozenset({"authorization", "option", "password", "secret", "url-password"})
"""What somebody copies into a document together with the command it was used in."""


def secrets(project: Project) -> Iterator[Finding]:
    """Yield every place with a key or password; the value is masked.

    In tests only sure ones count, in documents also those that nobody thinks up as an example.
    """
    for facts in project.files.values():
        product = facts.role in ("source", "data") and is_product(facts.path)
        for each in facts.secrets:
            sure = each.what not in BY_WORD
            examples = facts.role != "doc" or project.kind == "library"  # a library shows how it is configured
            told = not examples and each.mixed and each.what in _PASTED
            if (
                not product and not told and (not sure or each.what == "private-key")
            ):  # tests make their own certificates
                continue
            level: Severity = ("critical" if sure else "high") if product else "medium" if told else "low"
            yield Finding(
                kind="secret",
                rule=each.what,
                place=Place(path=facts.path, line=each.line),
                severity=level,
                why=("live_secret" if sure else "likely_secret")
                if product
                else "likely_secret"
                if told
                else "test_secret",
                confidence=0.9 if sure else 0.75,
                facts={"what": each.what},
                evidence=mask(project.text_of(facts.path)).split("\n")[each.line - 1].strip()[:200],
            )
