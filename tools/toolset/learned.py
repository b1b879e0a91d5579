"""What the tools of a turn have shown, for an answer that no model finishes."""

from collections.abc import Sequence

from ...state.session import Exchange, Language

MOST_RESULTS = 6
NO_RESULT = "[The same call"
"""How the answer to a call that was made once too often begins."""
_LONGEST = 200
_HEADS = {"en": "What the tools showed before that:", "zh": "在此之前工具查到的内容:"}


def learned(exchanges: Sequence[Exchange], language: Language) -> str:
    """Return the newest results that succeeded, a line each with the handle of the rest; `""` where there is none."""
    rows: dict[str, str] = {}
    for each in exchanges:
        asked = ", ".join(str(value) for value in each.call.arguments.values())
        said = next((line.strip() for line in each.result.splitlines() if line.strip()), "")
        if not each.failed and not each.result.startswith(NO_RESULT):
            handle = f" ({each.handle})" if each.handle else ""
            rows[f"{each.call.name}: {_short(asked)}"] = f"{_short(said)}{handle}"
    newest = list(rows.items())[-MOST_RESULTS:]
    return "\n".join([_HEADS[language], *(f"- `{asked}` → {said}" for asked, said in newest)]) if newest else ""


def _short(text: str) -> str:
    flat = " ".join(text.split()).replace("`", "'")
    return flat if len(flat) <= _LONGEST else f"{flat[:_LONGEST]}…"
