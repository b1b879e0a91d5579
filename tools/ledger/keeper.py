"""Keeps the ledgers of all lines: read from the archive, told what a turn changes, changed by hand."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from ...state.errors import LedgerError, SearchError
from ...state.ledger import FACT_KINDS, Fact, FactKind, Ledger
from ...state.turns import Role, Turn
from ..archive import Archive
from ..embeddings import Embedder
from ..secrets import mask
from .ledger import Change, apply, observe
from .nearness import Nearness
from .scope import names

_REMEMBERED = 16
"""Ledgers kept in memory, by the turn they end at."""


class LedgerKeeper:
    """The ledger of each line of turns, made from the changes kept in the archive beside each turn.

    Args:
        archive: Where turns and changes are.
        embedder: Tells closeness of meaning, to find what a new fact replaces; None: words alone.
        folder: Keeps the vectors of facts, which can be made again; None: in memory only.

    Raises:
        StoreError: The folder cannot be used.
    """

    def __init__(self, archive: Archive, embedder: Embedder | None = None, *, folder: Path | None = None) -> None:
        self._archive = archive
        path = folder / "facts.sqlite" if folder is not None else None
        self._nearness = Nearness(embedder, path) if embedder is not None else None
        self._ledgers: OrderedDict[str, Ledger] = OrderedDict()
        self._lock = threading.RLock()
        self.warnings: list[str] = []
        """What is degraded, each once: an embedder that cannot be used."""

    def at(self, head: str) -> Ledger:
        """Return the ledger of the line that ends at a turn; an empty one before the first turn."""
        if not head:
            return Ledger()
        with self._lock:
            known = self._ledgers.get(head)
            if known is None:
                turn = self._archive.turn(head)
                start = self._ledgers.get(turn.parent, Ledger())
                known = start
                for number, change in self._archive.facts(head, after=start.turn):
                    known = apply(known, [change], number)
                self._remember(head, replace(known, turn=turn.number))
            return self._ledgers[head]

    def changes(self, turn: Turn) -> list[Change]:
        """Return what a turn that is about to be archived changes in its line's ledger."""
        ledger = self.at(turn.parent)
        said = [replace(each, text=(text := mask(each.text)), handle=self._archive.handle(text)) for each in turn.said]
        number = ledger.turn + 1
        cosines = self.cosines if self._nearness is not None else None
        return observe(ledger, said, number, cosines, at=turn.at.isoformat())

    def cosines(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """Return the cosine of each text with the first, in [-1, 1]; zeros where there is no embedder."""
        try:
            if self._nearness is not None:
                return self._nearness.cosines(text, others)
        except SearchError as error:
            self._warn(f"the ledger works by words alone: {error}")
            self._nearness = None
        return [0.0] * len(others)

    def close(self) -> None:
        """Close the file of vectors."""
        if self._nearness is not None:
            self._nearness.close()

    def note(self, head: str, kind: FactKind, text: str, *, by: Role = "assistant") -> Fact:
        """Add a fact a model or person states outright, and return it; what stands already is not added twice.

        Raises:
            LedgerError: The kind is unknown or the text empty.
        """
        said = " ".join(mask(text).split())
        known = next((each for each in self.at(head).standing() if (each.kind, each.text) == (kind, said)), None)
        return known or self._write(head, [], kind, text, by)

    def supersede(self, head: str, fact_id: str, text: str, *, by: Role = "assistant") -> Fact:
        """Replace a standing fact by a new one of the same kind, and return the new one.

        Raises:
            LedgerError: No standing fact has this id.
        """
        old = self._standing(head, fact_id)
        return self._write(head, [("supersede", old.id)], old.kind, text, by)

    def resolve(self, head: str, fact_id: str, text: str, *, by: Role = "assistant") -> Fact:
        """Close an open problem with what solved it, and return that as a fact.

        Raises:
            LedgerError: No standing fact has this id.
        """
        old = self._standing(head, fact_id)
        return self._write(head, [("resolve", old.id)], "solved", text, by)

    def _standing(self, head: str, fact_id: str) -> Fact:
        ledger = self.at(head)
        fact = ledger.facts.get(fact_id)
        if fact is None or fact.status != "standing":
            standing = ", ".join(each.id for each in ledger.standing()[-20:])
            raise LedgerError(f"no standing fact has the id {fact_id!r}; the newest are {standing or 'none'}")
        return fact

    def _write(self, head: str, ends: Sequence[tuple[str, str]], kind: FactKind, text: str, by: Role) -> Fact:
        text = " ".join(mask(text).split())
        if kind not in FACT_KINDS or not text:
            raise LedgerError(f"a fact needs a text and a kind among {', '.join(FACT_KINDS)}; got {kind!r}, {text!r}")
        with self._lock:
            ledger = self.at(head)
            number = 1 + sum(each.turn == ledger.turn for each in ledger.facts.values())
            fact = Fact(
                id=f"{ledger.turn}.{number}",
                kind=kind,
                text=text,
                turn=ledger.turn,
                by=by,
                scope=names(text),
                weight=1.0,
            )
            changes: list[Change] = [{"op": "add", "fact": asdict(fact)}]
            changes += [{"op": op, "old": old, "new": fact.id} for op, old in ends]
            self._archive.add_facts(head, changes)
            self._remember(head, apply(ledger, changes, ledger.turn))
        return fact

    def _remember(self, head: str, ledger: Ledger) -> None:
        self._ledgers[head] = ledger
        self._ledgers.move_to_end(head)
        while len(self._ledgers) > _REMEMBERED:
            self._ledgers.popitem(last=False)

    def _warn(self, message: str) -> None:
        if message not in self.warnings:
            self.warnings.append(message)
