"""Where a name is used: the index tells the pieces, the files the lines."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .read import code_terms
from .store import CodeStore


@dataclass(frozen=True, slots=True)
class Reference:
    """One line that holds a name."""

    path: str
    line: int
    text: str
    inside: str
    """Qualified name of the definition around it, or ``""``."""


def references(
    store: CodeStore, name: str, lines_of: Callable[[str], Sequence[str]], limit: int = 200
) -> list[Reference]:
    """Return the lines that hold a name as a whole word, by path and line, `limit` at most.

    A name means its last part: ``Cache.get`` finds ``get``. Other things of that name are found, too.
    """
    last = name.rpartition(".")[2]
    word = re.compile(rf"(?<![\w$]){re.escape(last)}(?![\w$])")
    terms = [term for term in code_terms(last) if term.startswith("=")] or code_terms(last)
    with store.reading():
        corpus = store.pieces.corpus()
        numbers = {
            int(number) for posting in store.pieces.lookup(terms[:1]) for number in corpus.numbers[posting.documents]
        }
        pieces = store.piece_rows(sorted(numbers))
    paths = {file.id: file.path for file in store.files()}
    found = []
    for piece in sorted(pieces, key=lambda piece: (paths[piece.file], piece.start)):
        lines = lines_of(paths[piece.file])
        for number in range(piece.start, min(piece.end, len(lines)) + 1):
            if word.search(lines[number - 1]):
                found.append(Reference(paths[piece.file], number, lines[number - 1].strip()[:200], piece.name))
                if len(found) >= limit:
                    return found
    return found
