"""Tables of word patterns: data files beside this module, one pattern a line, English and Chinese."""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

_CJK = re.compile("[\u3400-\u9fff]")


@lru_cache(maxsize=8)
def patterns(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the patterns of a file by table, in order: lines of table, tab, pattern; `#` starts a comment."""
    found: dict[str, list[str]] = {}
    for line in files("maintainer.tools.ledger").joinpath(name).read_text("utf-8").splitlines():
        table, tab, pattern = line.partition("\t")
        if tab and not line.startswith("#"):
            found.setdefault(table, []).append(pattern)
    return {table: tuple(listed) for table, listed in found.items()}


def joined(listed: tuple[str, ...]) -> str:
    """Return one pattern for many: English words end at a word's end, Chinese stands anywhere."""
    english = "|".join(each for each in listed if not _CJK.search(each))
    chinese = "|".join(each for each in listed if _CJK.search(each))
    parts = [rf"(?:{english})(?![a-z0-9_])"] if english else []
    return "|".join([*parts, rf"(?:{chinese})"] if chinese else parts)


@lru_cache(maxsize=64)
def anywhere(name: str, table: str) -> re.Pattern[str]:
    """Return the pattern of a table, to be searched for; English words start at a word's start."""
    listed = patterns(name)[table]
    english = joined(tuple(each for each in listed if not _CJK.search(each)))
    chinese = joined(tuple(each for each in listed if _CJK.search(each)))
    return re.compile("|".join([rf"(?<![a-z0-9_-])(?:{english})" if english else "", chinese]).strip("|"))


@lru_cache(maxsize=64)
def at_start(name: str, table: str, before: str = "") -> re.Pattern[str]:
    """Return the pattern of a table, to be matched at the start of a sentence, after words of the table `before`."""
    listed = patterns(name)
    prefix = rf"(?:(?:{'|'.join(listed[before])}) ?)*" if before else ""
    return re.compile(rf"\W*{prefix}(?:{joined(listed[table])})")
