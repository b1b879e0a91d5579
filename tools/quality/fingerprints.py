"""The identity of a finding: what it is about, not where its lines happen to stand."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...state.report import Finding

MOST_ALIKE = 20
"""Equal findings of one file that a rename can carry over."""
_SPACE = re.compile(r"\s+")


def with_fingerprints(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings with fingerprints; equal ones in one file are told apart by their order.

    A fingerprint is made of kind, rule, path, symbol and the text of the first line, so it survives lines that move.
    For a finding about a whole file or a function, the text is left out: it is the same problem after an edit inside.
    """
    seen: Counter[str] = Counter()
    for finding in findings:
        basis = basis_of(finding, finding.place.path)
        seen[basis] += 1
        yield replace(finding, fingerprint=digest(basis, seen[basis]))


def basis_of(finding: Finding, path: str) -> str:
    """Return what the fingerprint of a finding is made from, were its file called `path`."""
    text = "" if finding.symbol or finding.kind in _WHOLE_FILE else _SPACE.sub(" ", finding.evidence.partition("\n")[0])
    others = ",".join(sorted({other.path for other in finding.others}))
    return "\n".join((finding.kind, finding.rule, path, finding.symbol, text.strip(), others))


def digest(basis: str, number: int) -> str:
    """Return 16 hexadecimal digits for the number-th finding of a basis."""
    return hashlib.sha256(f"{basis}\n{number}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def fingerprints_at(finding: Finding, path: str) -> Iterator[str]:
    """Yield the fingerprints a finding may have, were its file called `path`: equal ones in a file are numbered."""
    basis = basis_of(finding, path)
    return (digest(basis, number) for number in range(1, MOST_ALIKE))


_WHOLE_FILE = frozenset({"large_file", "missing_tests", "hot_spot", "bus_factor"})
