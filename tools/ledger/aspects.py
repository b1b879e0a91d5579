"""Aspects of software a statement can speak of: speed, storage, naming, and so on. The words are in `aspects.tsv`.

Two statements about one file that speak of different aspects do not replace each other, whatever their wording.
"""

from functools import lru_cache

from .tables import anywhere, patterns

_FILE = "aspects.tsv"


@lru_cache(maxsize=4096)
def aspects(plain: str) -> frozenset[str]:
    """Return the aspects a text in lower case speaks of."""
    return frozenset(name for name in patterns(_FILE) if anywhere(_FILE, name).search(plain))
