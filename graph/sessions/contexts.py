"""What the newest prompts of two points were made of: told by their receipts, which outlast the packets themselves."""

from collections import Counter
from pathlib import Path

from ...state.errors import StoreError
from ...tools.receipts import ReceiptStore
from .history import Change

FIELD = "context"


def context_between(home: Path, before: str, after: str) -> list[Change]:
    """Return as one change what only one of two prompts holds, or nothing where both hold the same.

    Args:
        home: The folder the receipts are in.
        before: Id of the one prompt's receipt, `""` for no prompt.
        after: That of the other.
    """
    if before == after:
        return []
    with ReceiptStore(home / "receipts") as receipts:
        then, now = _chosen(receipts, before), _chosen(receipts, after)
    old, new = [*(then - now).elements()], [*(now - then).elements()]
    return [Change(field=FIELD, before=old, after=new)] if old or new else []


def _chosen(receipts: ReceiptStore, name: str) -> Counter[str]:
    """Count what went into a prompt by `type: title`; that a receipt is gone is told in its place."""
    try:
        entries = receipts.load(name).entries if name else ()
    except StoreError as error:
        return Counter([f"unknown: {error}"])
    return Counter(f"{entry.type}: {entry.title}" for entry in entries if entry.chosen)
