"""The layers that need no model: clear what can be read again, drop closed turns, digest what is left."""

import re
from collections.abc import Callable, Sequence

from ...state.session import Message
from ..ledger.classify import classify
from ..ledger.statements import sentences, statements
from ..tokens import TokenCounter

Keep = Callable[[str], str]
"""Keeps a text and returns its handle; the same text has the same handle."""

NEWEST_TURNS = 2
"""Turns that are never touched."""
_LONG_LINES = 8
_FENCE = re.compile(r"^(?P<tick>```|~~~)[^\n]*\n(?P<body>.*?)^(?P=tick)[ \t]*$", re.M | re.S)
_OUTPUT = re.compile(
    r"(?:^(?:[ \t]|[\w./-]+:\d+[:-]|[\w./-]+/[\w.-]+$|[0-9a-f]{7,40} |\d+[:\t]|[>|+-]{1,3} ?)[^\n]*\n?){9,}", re.M
)
_LINE = 160
"""Characters of a line that stands for more."""


def cleared(messages: Sequence[Message], keep: Keep) -> list[Message]:
    """Return the messages with long blocks of code and output replaced by one line and a handle; the newest turns stay.

    Nothing is lost: the block can be read again by its handle, and the first line says what it was.
    """
    newest = _newest(messages)
    return [
        each if each.turn in newest else each.model_copy(update={"content": _without_blocks(each.content, keep)})
        for each in messages
    ]


def closed(messages: Sequence[Message], turn: int) -> bool:
    """Return whether a turn can leave the window: it was answered, and the answer does not wait for one itself."""
    answers = [each.content for each in messages if each.turn == turn and each.role == "assistant"]
    return bool(answers) and bool(answers[-1].strip()) and not answers[-1].rstrip().endswith(("?", "？"))


def droppable(messages: Sequence[Message]) -> list[int]:
    """Return the numbers of the closed turns outside the newest ones, oldest first."""
    newest = _newest(messages)
    turns = dict.fromkeys(each.turn for each in messages)
    return [turn for turn in turns if turn not in newest and closed(messages, turn)]


def digest_line(messages: Sequence[Message], turn: int, keep: Keep) -> str:
    """Return one line for a turn: what was asked, what the answer states, and the handle of the whole answer."""
    asked = next((each.content for each in messages if each.turn == turn and each.role == "user"), "")
    answers = [each for each in messages if each.turn == turn and each.role == "assistant"]
    answer = answers[-1].content if answers else ""
    stated = _telling(answer) if len(answer) > _LINE else answer
    whole = len(asked) <= _LINE and stated == answer
    handle = f' [expand("{keep(answer)}")]' if answer and not whole else ""
    return f"turn {turn}: {_short(asked)}{' -> ' + _short(stated) if stated else ''}{handle}"


def shortened(messages: Sequence[Message], counter: TokenCounter, most_tokens: int, keep: Keep) -> list[Message]:
    """Return the messages with the longest ones outside the newest turns cut to head and handle, until they fit."""
    found = list(messages)
    newest = _newest(found)
    by_size = sorted(
        (place for place, each in enumerate(found) if each.turn not in newest),
        key=lambda place: -counter.count(found[place].content),
    )
    total = sum(counter.count(each.content) for each in found)
    for place in by_size:
        if total <= most_tokens:
            break
        content = found[place].content
        head = counter.head(content, 80).rstrip()
        mark = f'\n[... the rest is in the archive: expand("{keep(content)}")]'
        if counter.count(head + mark) < counter.count(content):
            total += counter.count(head + mark) - counter.count(content)
            found[place] = found[place].model_copy(update={"content": head + mark})
    return found


def _without_blocks(text: str, keep: Keep) -> str:
    text = _FENCE.sub(lambda match: _stand_in(match.group(), match["body"], keep), text)
    return _OUTPUT.sub(lambda match: _stand_in(match.group(), match.group(), keep) + "\n", text)


def _stand_in(whole: str, body: str, keep: Keep) -> str:
    lines = [line for line in body.splitlines() if line.strip()]
    if len(lines) <= _LONG_LINES:
        return whole
    return f'[{_short(lines[0])} ... {len(lines)} lines: expand("{keep(whole)}")]'


def _telling(answer: str) -> str:
    """Return the sentence of an answer that states most surely something that lasts, else its first one."""
    best, weight = "", 0.0
    for statement in statements(answer):
        verdict = classify(statement, "assistant")
        if verdict is not None and verdict.weight > weight:
            best, weight = statement.text, verdict.weight
    return best or next(iter(sentences(answer)), "")


def _newest(messages: Sequence[Message]) -> set[int]:
    return set(sorted({each.turn for each in messages})[-NEWEST_TURNS:])


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LINE else flat[: _LINE - 3].rstrip() + "..."
