"""Which findings a request speaks of: by path, by symbol, by kind of problem, by topic; English and Chinese."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ..state.report import Finding, Kind
from .search import tokenize
from .search.glossary import expand

_NAMED, _KIND = 8.0, 2.0
"""Weight of a file, folder or symbol that the request names, and of a kind of problem it asks for. A topic weighs up to
1: the rarer it is among the findings, the more. What is named decides: kind and topic only order what is there."""
_SHORTEST = 4
"""Letters a symbol or a file's stem must have to be told from an ordinary word."""
MOST_CHARS = 2_000
"""Of a request that are read: a pasted log names everything and asks for nothing."""
_ABOUT = 0.5
"""Share of the best score from which a finding counts as spoken of."""
_OF_EVERY_TASK = frozenset(
    tokenize(
        "api app class code file fix function improve init main make module package plan project refactor repair "
        "repository script service src split step task test work"
    )
)
"""Words that are in every second request or path: they name no topic by themselves."""
_IDENTIFIER = re.compile(r"[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[\w-]+(?:/[\w.-]+)+|[\w-]+\.[a-z]{1,4}\b")


def asked_for(findings: Sequence[Finding], request: str) -> list[Finding]:
    """Return the findings a request speaks of, best first and else in their order; none where it names nothing known.

    A file, a folder, a symbol and a kind of problem count most. Other words are topics and are looked for in paths and
    symbols, Chinese ones by their translations; what stands in every second path counts little.
    """
    scores = _scores(findings, request[:MOST_CHARS])
    best = max(scores, default=0.0)
    told = [(score, finding) for score, finding in zip(scores, findings, strict=True) if score >= _ABOUT * best > 0]
    return [finding for _, finding in sorted(told, key=lambda each: -each[0])]


def focused(findings: Sequence[Finding], request: str) -> list[Finding]:
    """Return all findings, those first that the request speaks of."""
    first = asked_for(findings, request)
    taken = {id(finding) for finding in first}
    return [*first, *(finding for finding in findings if id(finding) not in taken)]


def names_something(request: str) -> bool:
    """Return whether a request holds a path, a file or an identifier: where nothing is found on it, that is news."""
    return _IDENTIFIER.search(request[:MOST_CHARS]) is not None


def _scores(findings: Sequence[Finding], request: str) -> list[float]:
    said = request.lower()
    kinds = {kind for pattern, named in _KINDS.items() if re.search(pattern, said) for kind in named}
    topics = ({*tokenize(request), *expand(request)} - _OF_EVERY_TASK) if request.strip() else set()
    terms = [_terms(finding) & topics for finding in findings]
    spread = Counter(term for each in terms for term in each)
    worth = {term: math.log1p(len(findings) / count) / math.log1p(len(findings)) for term, count in spread.items()}
    return [
        _NAMED * _is_named(finding, said) + _KIND * (finding.kind in kinds) + min(1.0, sum(worth[one] for one in each))
        for finding, each in zip(findings, terms, strict=True)
    ]


def _terms(finding: Finding) -> set[str]:
    """Return the words of a finding's paths and symbol."""
    paths = [finding.place.path, *(place.path for place in finding.others)]
    return set(tokenize(" ".join([*(path.rpartition(".")[0] or path for path in paths), finding.symbol])))


def _is_named(finding: Finding, said: str) -> bool:
    """Return whether a lower-case text names the finding's file, a folder around it, or its symbol."""
    path = finding.place.path.lower()
    folder, _, name = path.rpartition("/")
    symbol = finding.symbol.lower().rpartition(".")[2]
    return (
        _holds(said, path)
        or _holds(said, name)
        or any(_holds(said, parent) for parent in _parents(folder))
        or (len(symbol) >= _SHORTEST and "_" in symbol and _holds(said, symbol))
    )


def _parents(folder: str) -> list[str]:
    """Return a folder and those around it, as far as their path tells them from a word."""
    parts = folder.split("/")
    return ["/".join(parts[:end]) for end in range(2, len(parts) + 1)] + ([f"{folder}/"] if len(parts) == 1 else [])


def _holds(said: str, name: str) -> bool:
    """Return whether a name stands in a text by itself; Chinese around it does not join it."""
    return (
        bool(name.strip("/"))
        and re.search(rf"(?<![a-z0-9_/.-]){re.escape(name)}(?![a-z0-9_-]|/[a-z0-9])", said) is not None
    )


_KINDS: Mapping[str, tuple[Kind, ...]] = MappingProxyType(
    {
        r"\bsecur|vulnerab|inject|unsafe|安全|漏洞|注入": ("security", "secret"),
        r"\bsecrets?\b|credential|passwords?\b|api keys?|密钥|密码|泄露": ("secret",),
        r"\bcomplex|\blong(?:est)? func|too big|复杂|过长": ("complex_function", "many_parameters", "large_file"),
        r"duplicat|copy|copies|重复|复制": ("duplicate_code",),
        r"\bdead\b|unused|死代码|没用|未使用|废弃": ("dead_code", "unused_dependency"),
        r"untested|(?:missing|without|no|add|write|more) (?:unit )?tests?\b|coverage|\btests? for\b|测试": (
            "missing_tests",
        ),
        r"circular|cycl|layer|循环|分层|依赖关系": ("import_cycle", "layering"),
        r"todo|fixme|待办注释": ("todo",),
        r"hot ?spots?|churn|热点|经常改": ("hot_spot", "bus_factor"),
        r"\bslow|performance|n\+1|quer|性能|查询|慢": ("query_in_loop",),
        r"dependenc|requirement|依赖包|依赖项|第三方": (
            "undeclared_dependency",
            "unused_dependency",
            "outdated_dependency",
        ),
        r"readme|documentation|\bdocs?\b|stale|outdated|文档|过时": ("stale_docs",),
        r"\bbugs?\b|lint|错误|缺陷": ("lint", "syntax_error"),
    }
)
"""Words of a request, and the kinds of findings they ask for."""
