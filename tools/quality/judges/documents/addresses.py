"""Calls of an API that documents name, in running text, tables and examples, and that no route answers."""

import re
from collections.abc import Iterator, Sequence

from ...known.project import Project
from .claims import Claim
from .routes import Route, parts_of

_VERBS = "GET|POST|PUT|PATCH|DELETE|HEAD"
_CALL = re.compile(rf"(?<![\w/.-])({_VERBS})\b[`*]{{0,3}}(?:\s*\|)?\s+[`*]{{0,3}}(/[\w<{{:$][^\s`|,;)*?]*)")
"""Running text, a list, a heading, or a row of a table with the method in the cell before the path."""
_TURNED = re.compile(rf"\|\s*[`*]{{0,3}}(/[\w<{{:$][^\s`|?]*)[^\s|]*\s*\|\s*[`*]{{0,3}}({_VERBS})[`*]{{0,3}}\s*\|")
"""A row with the path first."""
_CURL = re.compile(r"\bcurl\b.*?\bhttps?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?(/[^\s\"'?\\]*)")
_CURL_VERB = re.compile(rf"(?:-X|--request)[ =]?[\"']?({_VERBS})\b")
_OF_ONE = ("PUT", "PATCH", "DELETE")
_LISTED = re.compile(rf"\b(?:{_VERBS})[`*]{{0,2}}\s*[,/&]\s*[`*]{{0,2}}$")
"""`GET, POST, DELETE /keys/` means both the keys and one of them."""
_STANDS_FOR = ("...", "…")
_CURL_SENDS = re.compile(r"\s(?:-d|--data[\w-]*|-F|--form|--json|-T|-I)\b")


def address_claims(project: Project, routes: Sequence[Route], number: int, line: str, document: str) -> Iterator[Claim]:
    """Yield the calls of a line that nothing answers, or not with that method; without any route nothing is said.

    Args:
        document: The text of the whole document: it may say what all its addresses begin with.
    """
    for asked, address in dict.fromkeys(_calls(line)) if routes else ():
        fitting = [route for route in routes if _answers(route, address, document)]
        verbs = {route.verb for route in fitting}
        said = f"{asked} {address}"
        if not fitting:
            if not _is_in_a_script(project, address):
                yield Claim(number, said, "no such address", "stale_command", 0.75)
        elif not verbs & {asked, "*"} and not (asked == "HEAD" and "GET" in verbs):
            yield Claim(number, said, "served for other methods only", "stale_command", 0.75)


def _calls(line: str) -> Iterator[tuple[str, str]]:
    if curl := _CURL.search(line):
        given = _CURL_VERB.search(line)
        if given or not _CURL_SENDS.search(line):
            yield given[1] if given else "GET", curl[1]
        return
    for match in _CALL.finditer(line):
        if match[1] in _OF_ONE and _LISTED.search(line[: match.start()]):
            continue
        open_end = match[2].rstrip(":`").endswith(_STANDS_FOR)
        yield match[1], match[2] if open_end else match[2].rstrip(".:`")
    yield from ((match[2], match[1]) for match in _TURNED.finditer(line))


def _answers(route: Route, address: str, document: str) -> bool:
    """Return whether a route answers an address, which may leave out what the document says all begin with."""
    wanted = parts_of(address)
    if (
        not wanted
        or not any(part != "{}" for part in wanted)
        or "*" in address
        or any(each in address for each in _STANDS_FOR)
    ):
        return True
    size = len(route.parts)
    if route.rest:
        return not size or any(_same(wanted[start : start + size], route.parts) for start in range(len(wanted)))
    if size > len(wanted):
        left_out = "/".join(route.parts[: size - len(wanted)])
        return f"/{left_out}" in document and _same(wanted, route.parts[size - len(wanted) :])
    lead = "/".join(wanted[: len(wanted) - size])
    whole = wanted[len(wanted) - size :]
    stands_for = [part if said == "{}" and not lead else said for said, part in zip(whole, route.parts, strict=True)]
    return _same(stands_for, route.parts) and lead not in route.never


def _same(wanted: list[str], route: tuple[str, ...]) -> bool:
    """Return whether a route takes an address, of which it has to have a part by name."""
    return len(wanted) == len(route) and all(map(_fits, wanted, route)) and any(part != "{}" for part in route)


def _fits(wanted: str, part: str) -> bool:
    """Return whether a part of a route takes a part of an address; a variable takes any."""
    if part in (wanted, "{}"):
        return True
    return "{}" in part and bool(re.fullmatch(re.escape(part).replace(r"\{\}", ".*"), wanted))


def _is_in_a_script(project: Project, address: str) -> bool:
    fixed = {part for part in parts_of(address) if part != "{}"}
    return any(facts.tree and fixed <= {*facts.tree.words} for facts in project.of_role("source"))
