"""Which definitions are reached: by name, from files that can see them, through definitions that are reached."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from ....import_graph import Edge
from ...facts.code import Defined
from ...facts.file import FileFacts


class Sight:
    """Which files can mean a definition of another: those that import it, themselves or through one other file."""

    def __init__(self, edges: Iterable[Edge]) -> None:
        self._importers: dict[str, set[str]] = defaultdict(set)
        for edge in edges:
            self._importers[edge.target].add(edge.source)
        self._seen: dict[str, Set[str]] = {}

    def of(self, path: str) -> Set[str]:
        """Return the files that can see into a file."""
        if path not in self._seen:
            direct = self._importers.get(path, set())
            self._seen[path] = direct.union(*(self._importers.get(each, ()) for each in direct))
        return self._seen[path]


def meant_otherwise(files: Iterable[FileFacts]) -> Mapping[str, Set[str]]:
    """Return, by name, the files that mean only a method of the product, or a function of their own, by it."""
    code = [(facts.path, facts.python) for facts in files if facts.python]
    methods = {each.name for _, python in code for each in python.defined if each.what == "method"}
    found: dict[str, set[str]] = defaultdict(set)
    for path, python in code:
        own = {each.name for each in python.defined if not each.owner}
        for name in (methods | own).intersection(python.of_objects):
            found[name].add(path)
    return found


def unreached(
    defined: Sequence[Defined], inner: Mapping[str, Sequence[str]], is_used: Callable[[Defined], bool]
) -> Set[str]:
    """Return the names of outermost definitions that nothing alive uses.

    What only dead code calls is dead, and so is what only calls itself.

    Args:
        defined: The outermost definitions of one file.
        inner: By definition, which others of the file it uses; `""` for the code outside of them.
        is_used: Says whether something outside of the file uses a definition, or keeps it.
    """
    names = {each.name for each in defined}
    alive = {each.name for each in defined if is_used(each)} | (set(inner.get("", ())) & names)
    # What `inner` names but the list leaves out, a method's class or a definition that is kept, is alive as well.
    waiting = [*alive, *(owner for owner in inner if owner and owner not in names)]
    while waiting:
        fresh = set(inner.get(waiting.pop(), ())) & names - alive
        alive |= fresh
        waiting += fresh
    return names - alive
