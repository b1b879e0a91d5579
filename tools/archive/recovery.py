"""Log and catalogue brought together again after a crash, a cut or a loss; what was found is told."""

from pathlib import Path

from ..database import opened_anew
from .catalogue import Catalogue
from .log import Log


def open_catalogue(path: Path) -> tuple[Catalogue, list[str]]:
    """Return the catalogue, empty where the file is damaged, and what there is to tell.

    Raises:
        StoreError: It cannot be opened or written.
    """
    catalogue, damage = opened_anew(lambda: Catalogue(path), path)
    told = [f"{path} could not be used and was made again from the log: {damage}"] if damage else []
    return catalogue, told


def catch_up(log: Log, catalogue: Catalogue) -> list[str]:
    """Bring the catalogue up to the end of the log, cut a torn tail, and return what was found.

    Raises:
        StoreError: The log or the catalogue cannot be read or written.
    """
    seen, end, told = catalogue.seen(), log.end(), list[str]()
    if seen == end:
        return told
    afresh = seen > end
    if afresh:
        told.append(f"{log.path(end[0])} is shorter than it was: what stood behind it is lost")
        seen = (0, 0)
    found = list(log.scan(seen))
    whole = len(found)
    while whole and found[whole - 1][1] is None:
        whole -= 1
    if whole < len(found):
        torn = found[whole][0]
        size = sum(position.size for position, _ in found[whole:])
        log.cut((torn.segment, torn.offset))
        told.append(f"{log.path(torn.segment)} ended in {size} bytes of an unfinished write; they were cut off")
        del found[whole:]
    for position, record in found:
        if record is None:
            path = log.path(position.segment)
            told.append(f"{path} is damaged at byte {position.offset}; that record is passed over")
    catalogue.take(found, afresh=afresh)
    return told
