"""Numbers of steps as people write them: 2, two, second, 二, ②."""

from collections.abc import Mapping

_CARDINALS, _ORDINALS = (
    tuple(line.split())
    for line in (
        "one two three four five six seven eight nine ten eleven twelve",
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    )
)
_WORDS: Mapping[str, int] = {
    word: value for words in (_CARDINALS, _ORDINALS) for value, word in enumerate(words, start=1)
} | {chr(0x2460 + place): place + 1 for place in range(20)}
_DIGITS: Mapping[str, int] = {char: value for value, char in enumerate("零一二三四五六七八九十")}

CARDINAL, ORDINAL = "|".join(_CARDINALS), "|".join(_ORDINALS)
CHINESE = "[一二三四五六七八九十]{1,2}"
CIRCLED = "[\u2460-\u2473]"


def number(text: str) -> int:
    """Return the number a text stands for, in either language; 0 where it stands for none."""
    text = text.lower()
    if text.isascii() and text.isdigit():
        return int(text)
    if text in _WORDS:
        return _WORDS[text]
    if len(text) == 1:
        return _DIGITS.get(text, ord(text) - ord("a") + 1 if "a" <= text <= "z" else 0)
    return 10 + _DIGITS[text[1]] if len(text) == 2 and text[0] == "十" and text[1] in _DIGITS else 0
