"""What a sentence is for, by its words: speech acts, modality, evidence. The words are in `cues.tsv`.

They are classes of the language, English and Chinese, never words of a single project. Cues are tried on text that
`scope.bare` has made plain: lower case, code, quotations and numbers replaced.
"""

import re
from functools import cache

from ...state.ledger import FactKind
from .tables import anywhere, at_start, patterns

KINDS: tuple[FactKind, ...] = ("rule", "decision", "problem", "solved", "change", "rejected")
"""Kinds of facts that have a table of cues of their own."""
_FILE = "cues.tsv"
_START = frozenset(
    ("question", "hearsay", "hypothetical", "dismissed_by_next", "acknowledgement", "narration", "task", "completion")
)
"""Tables whose words count at the start of a sentence only."""

_LEAST_MAIN = 12
"""Characters before a reason; with fewer the reason comes first ("Because of X we use Y")."""

QUESTION_END = re.compile(r"(?:[?？]|吗[。.]?|呢[。.]?)[\"'”’)）\s]*$")
CLAUSE = re.compile(r"[;；] (?:the|a|our|we|two|three|it|they|this|i)\b|[:：] (?:the|a|our|two) \w+ |；")
"""A second clause that gives no reason by any word but by standing there: "X writes to Y; the laptops are offline"."""
_LABEL = (":", "：")
"""Behind a word they make it a label: "Open: the disk is full" asks for nothing."""
_POINTS_BACK = re.compile(
    r"(?<![a-z])(?:there instead|instead(?! of)|in its place|(?:do|use|have|take|put) .{1,40} there)(?![a-z])"
    r"|^(?:it|this|that|they|these|those) "
    r"(?:is|are|was|were|will|has|have|must|should|now|needs?|goes|stays?|remains?)(?![a-z])"
    r"|^(?:改用|换成|改成|代之以|现在改|它|这(?:里|个)?|那里)"
)
_ANAPHORA = re.compile(r"(?:it|this|that|they|there|these|those) ")


def says(table: str, plain: str) -> bool:
    """Return whether a sentence holds a cue of a table."""
    if table in _START:
        before = "courtesy" if table == "task" else ""
        match = at_start(_FILE, table, before).match(plain)
        return match is not None and plain[match.end() : match.end() + 1] not in _LABEL
    return anywhere(_FILE, table).search(plain) is not None


def find(table: str, plain: str) -> int | None:
    """Return where the first cue of a table begins, or None."""
    match = anywhere(_FILE, table).search(plain)
    return match.start() if match else None


def without_ground(plain: str) -> str:
    """Return a sentence without the reason at its end: a cue there ("because it fails offline") is not what it says."""
    at = find("ground", plain)
    return plain[:at] if at is not None and at >= _LEAST_MAIN else plain


def without_lead_in(sentence: str) -> str:
    """Return a sentence without "By the way:" and the like."""
    return _lead_in().sub("", sentence, count=1)


@cache
def _lead_in() -> re.Pattern[str]:
    first = r"(?:(?:and|oh|ah|also|so|well|yes|no|ok(?:ay)?|right|good|then),?\s+)?"
    return re.compile(rf"^{first}(?:{'|'.join(patterns(_FILE)['lead_in'])})\s*[:：,，、-]\s*", re.I)


def commands(plain: str) -> bool:
    """Return whether a sentence begins like a rule of its own: "Never ...", "Keep ...", 请……."""
    return at_start(_FILE, "rule", "courtesy").match(plain) is not None


def points_back(plain: str) -> bool:
    """Return whether a sentence leans on the one before: "Scrap X. We do Y there instead."."""
    return _POINTS_BACK.search(plain) is not None


def starts_with_pronoun(plain: str) -> bool:
    """Return whether a sentence speaks of something it does not name."""
    return _ANAPHORA.match(plain) is not None
