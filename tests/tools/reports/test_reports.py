"""The report in all its forms: complete, harmless, the same every time, readable in a real browser."""

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest
from maintainer.state.report import Finding, Place, Report
from maintainer.state.session import Language
from maintainer.state.session_report import NoteLine, SessionReport, StepLine, TrendPoint, TurnLine
from maintainer.tools.reports import as_html, as_markdown, as_sarif
from maintainer.tools.reports.drawing import bars, lines, tiles
from maintainer.tools.reports.schema import report_schema

EVIL = "<script>alert('1')</script>|`x` \ud800 & \"quoted\""
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), "")


def sample(language: Language = "en", text: str = "def f(x):") -> SessionReport:
    findings = tuple(
        Finding(
            kind="complex_function",
            place=Place(path=f"src/{'文件' if number % 2 else 'a'}{number}.py", line=number + 1, end=number + 9),
            others=(Place(path="src/b.py", line=2),),
            symbol=text,
            severity=level,
            why="complexity",
            confidence=0.9,
            facts={"complexity": 30 + number, "lines": 90},
            evidence=text,
            fingerprint=f"{number:016x}",
        )
        for number, level in enumerate(("critical", "high", "medium", "low", "info"))
    )
    quality = Report(
        findings=findings,
        new=frozenset({findings[0].fingerprint}),
        fixed=findings[:1],
        suppressed=2,
        repository_kind="library",
        files=12,
        lines=3456,
        folders={"src": 3000, "src/deep": 400},
        head="a" * 40,
    )
    return SessionReport(
        repository=f"/srv/{text}",
        session="monday",
        made_at="2026-01-05T09:00:00+00:00",
        language=language,
        head="a" * 40,
        branch="main",
        statistics={"turns": 2, "issues_found": 5, "commands_executed": 3, "notes_created": 1},
        usage={"model_calls": 2, "input_tokens": 4000, "output_tokens": 300, "cached_tokens": 1000},
        cost=0.0123,
        quality=quality,
        trend=(
            TrendPoint(at="2026-01-04T09:00:00+00:00", session="sunday", head="", counts={"high": 3, "low": 9}),
            TrendPoint(at="2026-01-05T09:00:00+00:00", session="monday", head="", counts={"high": 1, "low": 7}),
        ),
        turns=(
            TurnLine(
                number=1,
                at="2026-01-05T09:00:00+00:00",
                mode="analyze",
                request=text,
                answer=text,
                receipt="r1",
                budget=4000,
                tokens=1500,
                sections={"Role & Policies": 130, "Evidence": 1000, "Context": 370},
            ),
        ),
        notes=(NoteLine(id="n1", title=text, type="conclusion", status="open", updated_at="2026-01-05"),),
        plan=(
            StepLine(id="s1", title=text, status="resolved"),
            StepLine(id="s2", title="then this", status="open", depends_on=("s1",), ready=True),
        ),
        problems=(text,),
    )


class Page(HTMLParser):
    """What a page holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action", "xlink:href")]

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_shows_every_part(language: Language) -> None:
    page = Page(as_html(sample(language)))
    for part in ("src/a0.py:1", "monday", "3456", "then this", "n1", "r1", "Evidence", "src/deep", "0.0123"):
        assert part in page.words, part
    heads = {"en": ("Findings", "Trend", "Plan", "timeline"), "zh": ("发现的问题", "变化趋势", "计划", "时间线")}
    assert all(head in page.words for head in heads[language])
    assert page.tags.count("svg") == 4


def test_the_page_loads_and_runs_nothing() -> None:
    text = as_html(sample(text=EVIL))
    page = Page(text)
    assert not {"script", "iframe", "link", "img", "object"} & set(page.tags)
    assert page.links == []
    assert not re.search(r"url\(|@import|https?://", text)
    assert "default-src 'none'" in text
    assert "alert('1')" in page.words  # shown as text


def test_every_drawing_is_well_formed() -> None:
    for drawing in re.findall(r"<svg.*?</svg>", as_html(sample(text="plain & <b>")), re.DOTALL):
        ElementTree.fromstring(drawing)


def test_what_people_wrote_cannot_break_a_table_of_markdown() -> None:
    text = as_markdown(sample(text=EVIL.replace("\ud800", "") + "\n| x | y |"))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    widths = {len(re.findall(r"(?<!\\)\|", row)) for row in rows}
    assert widths <= {5, 6}
    assert "<script>" not in text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_markdown_tells_the_same(language: Language) -> None:
    text = as_markdown(sample(language))
    for part in ("`src/a0.py:1`", "monday", "then this", "n1", "r1", "$0.0123", "2. [ ] then this"):
        assert part in text, part
    assert "1. [x]" in text


def test_the_json_is_as_its_published_schema_says() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    plain = json.loads(json.dumps(sample().to_dict()))
    jsonschema.validate(plain, report_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**plain, "turns": 3}, report_schema())


def test_the_written_schema_is_todays() -> None:
    written = json.loads((files("maintainer.tools.reports") / "schema.json").read_text("utf-8"))
    assert written == report_schema()


def test_a_report_without_anything_is_no_error() -> None:
    empty = SessionReport(repository="/x", session="", made_at="2026-01-05T09:00:00+00:00")
    assert "Maintainer report" in as_html(empty)
    assert "Nothing was analyzed" in as_markdown(empty)


def test_the_same_report_gives_the_same_page() -> None:
    assert as_html(sample()) == as_html(sample())


def test_sarif_has_levels_fingerprints_and_what_is_new() -> None:
    quality = sample().quality
    assert quality is not None
    [run] = as_sarif(quality)["runs"]
    assert [result["level"] for result in run["results"]] == ["error", "error", "warning", "note", "note"]
    assert [result["baselineState"] for result in run["results"]] == ["new", *["unchanged"] * 4]
    first = run["results"][1]
    assert first["partialFingerprints"] == {"maintainer/v1": "0000000000000001"}
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/%E6%96%87%E4%BB%B61.py"
    assert place["region"] == {"startLine": 2, "endLine": 10}
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "complex_function"


@pytest.mark.parametrize("sizes", [[1], [5, 3, 2], [100, *[1] * 39]])
def test_tiles_fill_the_map_without_overlapping(sizes: list[int]) -> None:
    drawing = ElementTree.fromstring(tiles([(f"f{n}", size, 0.5) for n, size in enumerate(sizes)], title="map"))
    boxes = [tuple(float(each.get(key, "0")) for key in ("x", "y", "width", "height")) for each in drawing.iter("rect")]
    assert len(boxes) == len(sizes)
    assert sum(w * h for _, _, w, h in boxes) == pytest.approx(760 * 320, rel=0.02)
    for number, (x, y, w, h) in enumerate(boxes):
        assert -0.1 <= x <= x + w <= 760.2
        assert -0.1 <= y <= y + h <= 320.2
        for left, top, width, height in boxes[number + 1 :]:
            across = min(x + w, left + width) - max(x, left)
            down = min(y + h, top + height) - max(y, top)
            assert across < 0.3 or down < 0.3


def test_bars_are_as_long_as_their_values() -> None:
    drawing = ElementTree.fromstring(bars([("a", {"x": 50, "y": 0, "z": 25})], {"x": "#111"}, most=100, title=""))
    assert [float(each.get("width", "0")) for each in drawing.iter("rect")] == [335.0, 167.5]


def test_one_point_and_none_are_drawn() -> None:
    assert "<circle" in lines([("today", {"x": 1})], {"x": "#111"}, title="")
    assert "<circle" not in lines([], {"x": "#111"}, title="")


@pytest.mark.skipif(not BROWSER, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [390, 1200])
def test_a_real_browser_shows_the_page_without_sideways_scrolling(width: int, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    # The page may run nothing, so the measuring script goes into a copy whose policy allows it.
    measure = "<script>document.title = document.documentElement.scrollWidth + 'x' + document.images.length</script>"
    text = as_html(sample("zh", text="a_very_long_name_" * 12))
    page.write_text(
        text.replace("default-src 'none';", "script-src 'unsafe-inline';").replace("</body>", f"{measure}</body>")
    )
    picture = tmp_path / "page.png"
    argv = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={width},2000"]
    argv += [f"--user-data-dir={tmp_path / 'profile'}"]
    subprocess.run([*argv, f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True, timeout=60)
    dumped = subprocess.run(
        [*argv, "--dump-dom", page.as_uri()], check=True, capture_output=True, text=True, timeout=60
    )
    found = re.search(r"<title>(\d+)x0</title>", dumped.stdout)
    assert found is not None
    assert int(found[1]) <= max(width, 500)  # headless Chromium has no window narrower than 500
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 20_000  # a blank page is a few kilobytes
