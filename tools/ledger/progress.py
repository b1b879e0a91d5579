"""What sentences say about the progress of a plan: which step is done, which one is at work."""

import re
from dataclasses import dataclass

from ...state.ledger import Plan, StepStatus
from ..search.text import has_cjk, tokenize
from .cues import find, says
from .numbers import CARDINAL, CHINESE, CIRCLED, ORDINAL, number
from .scope import english_words, words
from .statements import sentences

_NOUN = "step|phase|stage|task|item|milestone|part|point|package"
_NUMBERED = re.compile(
    rf"(?:\b(?:{_NOUN}|no\.?|number|nr\.?)|#) ?#?(?P<a>\d{{1,2}}(?!\d|[.]\d)|(?:{CARDINAL})\b)"
    rf"|\b(?P<b>{ORDINAL}) (?:{_NOUN})\b|\bthe (?P<c>{ORDINAL})(?: one)?(?= (?:is|has|was)\b|[.,;!]|$)"
    rf"|第 ?(?P<d>\d{{1,2}}|{CHINESE}|{CIRCLED}) ?(?:步|阶段|项|期|个(?:任务|步骤|阶段)|条|件)"
    rf"|(?:步骤|阶段|任务) ?(?P<e>\d{{1,2}}|{CHINESE}|{CIRCLED})",
    re.I,
)
_NOT_YET = re.compile(
    r"\b(?:not|n't|never|almost|nearly|half|until|before|when|once|if|unless|will be|to be)\b.{0,25}$"
    r"|[未没还].{0,3}$|如果|等到|快要"
)
_NOT = re.compile(r"not|n't|未|没")
_CLAUSE = re.compile(r"[,;，；。!！]\s*|\.\s+|\s+(?:and|then|so|but)\s+|而|并且?|然后")
_IT = re.compile(r"\s*(?:(?:and|but|so) )?(?:it|that|this|它|这)\b", re.I)
_TRANSLATED = 2
"""Words of a step's title that a clause in the other language must share."""
_SAME_STEP = 0.75
"""Share of the words of a step's title that name it, where no other step shares as many."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a sentence says about one step."""

    step: int
    """Index, from 0."""
    status: StepStatus


def progress(text: str, plan: Plan) -> list[Progress]:
    """Return what a text says about the steps of a plan, in order; questions and conditions say nothing."""
    found: list[Progress] = []
    for sentence in sentences(text):
        if sentence.rstrip().endswith(("?", "？", "吗", "呢")):
            continue
        spoken_of: int | None = None
        for clause in _clauses(sentence, plan):
            index, rest = _step_in(clause, plan)
            if index is None and _IT.match(clause):  # "Step 1 took long, but it is done"
                index = spoken_of
            if index is not None and (status := _status(rest)):
                found.append(Progress(index, status))
            spoken_of = index
    return found


def _clauses(sentence: str, plan: Plan) -> list[str]:
    """Return the clauses of a sentence; titles of steps may hold commas and are not cut."""
    masked = sentence
    for index, step in enumerate(plan.steps):
        masked = re.sub(re.escape(step.text), f" \x00{index}\x00 ", masked, flags=re.I)
    parts: list[str] = []
    for part in _CLAUSE.split(masked):
        # "Now on step 3, freeze the stubs": a clause without a verb of progress belongs to the one before
        if parts and not says("step_done", part.lower()) and not says("step_doing", part.lower()):
            parts[-1] += ", " + part
        elif part.strip():
            parts.append(part)
    return parts


def _step_in(clause: str, plan: Plan) -> tuple[int | None, str]:
    """Return the index of the step a clause names, and the clause without its name."""
    if match := _NUMBERED.search(clause):
        told = number(next(filter(None, match.groups())))
        if 1 <= told <= len(plan.steps):
            return told - 1, re.sub("\x00\\d+\x00", " ", clause)
    if match := re.search("\x00(\\d+)\x00", clause):
        return int(match[1]), re.sub("\x00\\d+\x00", " ", clause)
    shares = [_share(step.text, clause) for step in plan.steps]
    best = max(shares, default=0.0)
    if best >= _SAME_STEP and shares.count(best) == 1:
        index = shares.index(best)
        return index, _without_words(clause, plan.steps[index].text)
    return None, clause


def _share(title: str, clause: str) -> float:
    """Return how surely a clause names a step, in [0, 1]: the share of its words, also in the other language."""
    if has_cjk(title) == has_cjk(clause):
        wanted = set(tokenize(title))
        return len(wanted & set(tokenize(clause))) / len(wanted) if len(wanted) > 1 else 0.0
    chinese, english = (title, clause) if has_cjk(title) else (clause, title)
    shared = len(english_words(chinese) & words(english))
    if shared < _TRANSLATED:
        return 0.0
    # a Chinese title has several English words for each of its own: how many it has says nothing
    return 1 - 1 / (2 * shared) if has_cjk(title) else shared / len(words(english))


def _without_words(clause: str, title: str) -> str:
    for word in re.findall(r"\w+", title):
        clause = re.sub(rf"\b{re.escape(word)}\w*", " ", clause, flags=re.I)
    return clause


def _status(clause: str) -> StepStatus | None:
    plain = clause.lower()
    done = find("step_done", plain)
    if done is None:
        return "doing" if says("step_doing", plain) else None
    if not _NOT_YET.search(plain[:done]):
        return "done"
    return "doing" if _NOT.search(plain) else None
