"""Which file an import of JavaScript, TypeScript, Java or Go leads to."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from ...code_index.languages import language_of
from ...import_graph import Edge
from ..facts.code import Imported
from ..facts.file import FileFacts
from ..syntax.functions import SCRIPTS

_ENDINGS = (
    *(".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts"),
    "/index.ts",
    "/index.tsx",
    "/index.js",
)
_WRITTEN_FOR = re.compile(r"\.(?:js|jsx|mjs|cjs)$")
"""TypeScript imports `x.js` and means `x.ts`."""
_ROOT = re.compile(r"^[@~]/")
_GO_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)


class TreeImports:
    """Resolves imports among the files of one repository."""

    def __init__(self, paths: Iterable[str], text_of: Callable[[str], str]) -> None:
        self._paths = frozenset(paths)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._folders: dict[str, list[str]] = defaultdict(list)
        self._modules: dict[str, str] = {}
        for path in sorted(self._paths):
            folder, _, name = path.rpartition("/")
            if name == "go.mod" and (module := _GO_MODULE.search(text_of(path))):
                self._modules[module[1]] = folder
            elif path.endswith(".java"):
                self._by_name[name.removesuffix(".java")].append(path)
            elif path.endswith(".go") and not path.endswith("_test.go"):
                self._folders[folder].append(path)

    def resolve(self, path: str, each: Imported) -> str:
        """Return the file an import leads to, of a Go package its first; `""` where it is none of the repository's."""
        language = language_of(path)
        if language in SCRIPTS:
            return self._script(path, each.module)
        return self._java(each) if language == "java" else self._go(each.module)

    def _script(self, path: str, module: str) -> str:
        if module.startswith("."):
            return self._file(posixpath.normpath(posixpath.join(posixpath.dirname(path), module)))
        if not _ROOT.match(module):
            return ""
        parts = path.split("/")
        for depth in range(len(parts) - 1, -1, -1):  # `@/x` is `src/x` of the package around
            root = "/".join(parts[:depth])
            for base in ("src", "app", "."):
                if found := self._file(posixpath.normpath(posixpath.join(root, base, module[2:]))):
                    return found
        return ""

    def _file(self, stem: str) -> str:
        if stem in self._paths:
            return stem
        plain = _WRITTEN_FOR.sub("", stem)
        return next((f"{each}{end}" for each in (stem, plain) for end in _ENDINGS if f"{each}{end}" in self._paths), "")

    def _java(self, each: Imported) -> str:
        for dotted in (f"{each.module}.{each.name}", each.module):  # a class, or a static member of one
            ending = f"/{dotted.replace('.', '/')}.java"
            for path in self._by_name.get(dotted.rpartition(".")[2], ()):
                if f"/{path}".endswith(ending):
                    return path
        return ""

    def _go(self, module: str) -> str:
        for name, folder in self._modules.items():
            if module == name or module.startswith(f"{name}/"):
                wanted = posixpath.normpath(posixpath.join(folder, module[len(name) + 1 :] or "."))
                return next(iter(self._folders.get(wanted.removeprefix("."), ())), "")
        return ""


def tree_edges(files: Mapping[str, FileFacts], imports: TreeImports) -> Iterator[Edge]:
    """Yield every import of one file by another, in the order of files and lines."""
    for path, facts in files.items():
        for each in facts.tree.imports if facts.tree else ():
            target = imports.resolve(path, each)
            if target and target != path:
                name = "" if each.name in ("*", "default") else each.name
                yield Edge(source=path, target=target, line=each.line, late=each.late, typing=each.typing, name=name)
