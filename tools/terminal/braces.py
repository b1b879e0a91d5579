"""`a{b,c}` stands for `ab ac`: as in bash, but bounded, and refused where it is not plain."""

from ...state.errors import CommandRefused
from .words import Word

MOST_BRACES, DEEPEST_BRACES = 64, 8


def braces(word: Word, depth: int = 0) -> list[Word]:
    """Return what `a{b,c}` stands for, in order; a word without such braces stands for itself.

    Raises:
        CommandRefused: It is a sequence `{1..9}`, is not balanced, nests too deep or stands for too much.
    """
    if not word.bare("{"):
        return [word]
    if depth > DEEPEST_BRACES:
        raise CommandRefused(f"braces nest deeper than {DEEPEST_BRACES}; write the names")
    for start in range(len(word.text)):
        if word.text[start] == "{" and not word.quoted[start]:
            inside = _alternatives(word, start)
            if inside is not None:
                break
    else:
        return [word]
    alternatives, end = inside
    before, tails = word.part(0, start), braces(word.part(end), depth + 1)
    heads = [before + each for part in alternatives for each in braces(part, depth + 1)]
    if len(heads) * len(tails) > MOST_BRACES:
        raise CommandRefused(f"braces stand for more than {MOST_BRACES} words; write fewer")
    words = [head + tail for head in heads for tail in tails]
    if any(not each.text for each in words):
        raise CommandRefused(f"{word.text!r} has an empty alternative; write the names")
    return words


def _alternatives(word: Word, start: int) -> tuple[list[Word], int] | None:
    """Return the parts of the braces opened at `start` and where they end; None when they are plain text."""
    level, begun, comma = 0, start + 1, False
    parts: list[Word] = []
    for place in range(start, len(word.text)):
        if word.quoted[place]:
            continue
        character = word.text[place]
        if character == "{":
            level += 1
        elif character == "," and level == 1:
            parts.append(word.part(begun, place))
            begun, comma = place + 1, True
        elif character == "}":
            level -= 1
            if level == 0:
                parts.append(word.part(begun, place))
                if comma:
                    return parts, place + 1
                _refuse_sequence(parts[0].text)
                if place == start + 1 and word.part(place + 1).bare("}"):  # bash takes this `}` for a letter
                    raise CommandRefused(f"the braces in {word.text!r} are not plain; quote them")
                return None
    if comma:
        raise CommandRefused(f"the brace in {word.text!r} is not closed; close it or quote it")
    return None


def _refuse_sequence(text: str) -> None:
    ends = text.split("..")
    if len(ends) in (2, 3) and all(_number(end) or (len(end) == 1 and end.isalpha()) for end in ends):
        raise CommandRefused(f"the sequence {{{text}}} is not supported; write the names or use a glob")


def _number(text: str) -> bool:
    return text.lstrip("+-").isdigit()
