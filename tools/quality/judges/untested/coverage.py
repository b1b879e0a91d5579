"""What measured coverage says of each file, where a run of the tests left it: Cobertura, coverage.py's JSON, LCOV."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from ...known.project import Project

_CLASS = re.compile(r"<class\b[^>]*?\bfilename=\"([^\"]+)\"[^>]*?\bline-rate=\"([\d.]+)\"")
_LCOV = re.compile(r"^(SF|LF|LH):(.+)$", re.MULTILINE)


def coverage(project: Project) -> dict[str, float]:
    """Return the share of lines that tests run, in [0, 1], by file as the report names it; empty without a report.

    The files are looked for where they are usually written, also where git ignores them.
    """
    return {
        path.replace("\\", "/").removeprefix("./"): rate
        for place, read in _READERS.items()
        for path, rate in read(project.text_of(place))
    }


def _cobertura(text: str) -> Iterator[tuple[str, float]]:
    for path, rate in _CLASS.findall(text):
        yield path, float(rate)


def _json(text: str) -> Iterator[tuple[str, float]]:
    try:
        files = json.loads(text)["files"]
        for path, told in files.items():
            yield path, float(told["summary"]["percent_covered"]) / 100
    except (ValueError, KeyError, TypeError, AttributeError):
        return  # another tool's file of the same name


def _lcov(text: str) -> Iterator[tuple[str, float]]:
    for record in text.split("end_of_record"):
        told = dict(_LCOV.findall(record))
        if "SF" in told and told.get("LF", "0").isdigit() and int(told.get("LF", "0")):
            yield told["SF"].strip(), int(told.get("LH", "0")) / int(told["LF"])


_READERS: Mapping[str, Callable[[str], Iterator[tuple[str, float]]]] = MappingProxyType(
    {
        "coverage.xml": _cobertura,
        "coverage/cobertura-coverage.xml": _cobertura,
        "coverage.json": _json,
        "lcov.info": _lcov,
        "coverage.lcov": _lcov,
        "coverage/lcov.info": _lcov,
    }
)
