"""The report in all its forms: complete, harmless, the same every time, readable in a real browser."""

import html
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from maintainer.state.report import Finding, Place, Report
from maintainer.state.session import Language
from maintainer.state.session_report import ChosenLine, NoteLine, SessionReport, StepLine, TrendPoint, TurnLine
from maintainer.tools.reports import as_html, as_markdown, as_sarif
from maintainer.tools.reports.drawing import ROW, bars, lines, rail, squarified, tiles
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
                reserve=800,
                sections={"Role & Policies": 130, "Evidence": 1000, "Context": 370},
                chosen=(ChosenLine(title=text, source="rag", tokens=900),),
                left_out={"relevance 0.10 is below 0.2": 3, "relevance 0.00 is below 0.2": 2, "no room: others": 1},
            ),
        ),
        notes=(
            NoteLine(id="n1", title=text, type="conclusion", status="open", updated_at="2026-01-05"),
            NoteLine(
                id="n2",
                title="anew",
                type="general",
                status="open",
                updated_at="2026-01-06",
                links={"supersedes": ("n1",), "resolves": ("s1",)},
            ),
        ),
        plan=(
            StepLine(id="s1", title=text, status="resolved"),
            StepLine(id="s2", title="then this", status="open", depends_on=("s1",), ready=True, estimate="2 h"),
            StepLine(id="s3", title="at last", status="open", depends_on=("s1", "s2"), acceptance="tests pass"),
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
    for part in ("src/a0.py:1", "monday", "3,456", "then this", "n1", "maintainer context r1", "src/deep", "$0.0123"):
        assert part in page.words, part
    heads = {"en": ("Findings", "Trend", "Plan", "timeline"), "zh": ("发现的问题", "变化趋势", "计划", "时间线")}
    assert all(head in page.words for head in heads[language])
    assert page.tags.count("svg") == 3  # trend, plan, notes


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            [
                "5 findings in 12 files: critical 1, high 1, medium 1, low 1, info 1.",
                "Since the last session: 1 new, 1 fixed.",
                "The plan: 1 of 3 steps done; next: then this.",
                "2 model calls: 4,000 tokens in (1,000 of them cached), 300 out; $0.0123",
            ],
        ),
        (
            "zh",
            [
                "12 个文件中发现 5 个问题:严重 1、高 1、中 1、低 1、提示 1。",
                "与上次会话相比:新增 1,已修复 1。",
                "计划:1/3 步完成;下一步:then this。",
                "调用模型 2 次:输入 4,000 token(其中缓存 1,000),输出 300 token;$0.0123",
            ],
        ),
    ],
)
def test_the_page_begins_with_what_a_reader_in_a_hurry_needs(language: Language, lines: list[str]) -> None:
    beginning = Page(as_html(sample(language)).partition("<nav")[0]).words
    assert all(line in beginning for line in lines), beginning


def test_a_price_that_is_not_known_is_not_told_as_nothing() -> None:
    assert "the price is not known" in as_html(replace(sample(), cost=None))
    assert "No model was called." in as_html(replace(sample(), usage={}, cost=None))


def test_every_link_leads_to_a_part_of_the_page_and_every_turn_shows_its_receipt() -> None:
    text = as_html(sample())
    names = set(re.findall(r' id="([^"]+)"', text))
    assert {link.removeprefix("#") for link in Page(text).links} <= names
    receipt = Page(text.partition('id="turn-1"')[2]).words
    for part in ("r1", "rag · 900 tokens", "5 × not relevant enough", "1 × no room"):
        assert part in receipt
    assert "5 × 相关度不足" in Page(as_html(sample("zh"))).words


def test_lesser_findings_are_folded_as_long_as_there_are_worse() -> None:
    folded = as_html(sample()).partition('<details class="group">')[2]
    assert "src/a4.py:5" in Page(folded).words
    assert "src/a2.py:3" not in Page(folded.partition("</section>")[0]).words
    quality = sample().quality
    assert quality is not None
    only_low = replace(sample(), quality=replace(quality, findings=quality.findings[3:]))
    assert '<details class="group">' not in as_html(only_low)


def test_the_plan_is_drawn_with_what_waits_for_what() -> None:
    drawn = ElementTree.fromstring(
        re.findall(r"<svg.*?</svg>", as_html(sample()).partition('id="plan"')[2], re.DOTALL)[0]
    )
    assert [each.get("class") for each in drawn.iter("circle")] == ["done", "ready", "waits"]
    assert [each.get("class") for each in drawn.iter("path")] == ["done", "done", "waits"]
    words = Page(as_html(sample()).partition('id="plan"')[2].partition("</section>")[0]).words
    assert "1 of 3 done" in words
    assert "can start now · 2 h · after 1" in words
    assert "waits · after 1, 2" in words


def test_notes_are_linked_to_each_other_and_to_steps() -> None:
    part = as_html(sample()).partition('id="notes"')[2].partition("</section>")[0]
    assert '<path class="supersedes"' in part
    assert "resolves step 1" in Page(part).words
    assert "解决 第 1 步" in Page(as_html(sample("zh"))).words


def test_the_page_loads_and_runs_nothing() -> None:
    text = as_html(sample(text=EVIL))
    page = Page(text)
    assert not {"script", "iframe", "link", "img", "object"} & set(page.tags)
    assert all(link.startswith("#") for link in page.links)
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
    assert "| 2026-01-04 | sunday | 3 | 9 |" in text
    for part in ("`src/a0.py:1`", "monday", "then this", "n1", "r1", "$0.0123", "2. [ ] then this"):
        assert part in text, part
    assert "1. [x]" in text


def test_the_json_is_as_its_published_schema_says() -> None:
    plain = json.loads(json.dumps(sample().to_dict()))
    jsonschema.validate(plain, report_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**plain, "turns": 3}, report_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({name: value for name, value in plain.items() if name != "schema_version"}, report_schema())


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
    boxes = squarified(sizes, 100, 40)
    assert len(boxes) == len(sizes)
    assert sum(w * h for _, _, w, h in boxes) == pytest.approx(4000)
    for number, (x, y, w, h) in enumerate(boxes):
        assert -0.01 <= x <= x + w <= 100.01
        assert -0.01 <= y <= y + h <= 40.01
        for left, top, width, height in boxes[number + 1 :]:
            across = min(x + w, left + width) - max(x, left)
            down = min(y + h, top + height) - max(y, top)
            assert across < 0.01 or down < 0.01


def test_a_map_is_shaded_by_weight_and_names_what_has_room() -> None:
    drawing = ElementTree.fromstring(tiles([("big", 99, 1.0), ("tiny", 1, 0.0)], title="map"))
    assert [(each.get("class"), each.text or "") for each in drawing.iter("div")][1:] == [
        ("heat5", "big"),
        ("heat0", ""),
    ]
    assert [each.get("title") for each in drawing.iter("div")][1:] == ["big: 99", "tiny: 1"]


def test_bars_are_as_long_as_their_values() -> None:
    rows = [("a", {"x": 50, "y": 0, "z": 25}, "75")]
    drawing = ElementTree.fromstring(bars(rows, {"x": "X", "y": "Y", "z": "Z"}, most=100, title=""))
    assert [each.get("style") for each in drawing.iter("i")] == ["width:50.00%", "width:25.00%"]
    assert [each.get("title") for each in drawing.iter("i")] == ["X: 50", "Z: 25"]


def test_one_point_and_none_are_drawn() -> None:
    assert "<circle" in lines([("today", {"x": 1})], {"x": "X"}, title="")
    assert "<circle" not in lines([], {"x": "X"}, title="")


def test_a_rail_has_one_node_a_row_and_no_wider_place_than_its_arcs_need() -> None:
    plain, joined = (ElementTree.fromstring(rail(["done"] * 3, arcs, title="")) for arcs in ([], [(0, 2, "done")]))
    assert [int(each.get("cy", "0")) for each in plain.iter("circle")] == [ROW // 2, ROW + ROW // 2, 2 * ROW + ROW // 2]
    assert int(plain.get("width", "0")) < int(joined.get("width", "0")) <= 66


def test_rows_beside_a_rail_are_as_high_as_it_thinks() -> None:
    css = (files("maintainer.tools.reports") / "page.css").read_text("utf-8")
    assert f".railed li {{ height: {ROW}px;" in css


MEASURE = """
<script>frame.onload = () => {
  const page = frame.contentDocument, wide = page.documentElement.clientWidth;
  const out = [...page.querySelectorAll('body *')].filter(e => !e.closest('details:not([open])'))
    .filter(e => e.getBoundingClientRect().right > wide + 1).map(e => e.tagName + '.' + e.className);
  const small = [...page.querySelectorAll('p, li, span, td, text')].map(e => parseFloat(getComputedStyle(e).fontSize));
  const scroll = page.documentElement.scrollWidth;
  document.title = JSON.stringify({wide: wide, scroll: scroll, out: out, small: Math.min(...small)});
}</script>"""


@pytest.mark.skipif(not BROWSER, reason="no Chromium on this machine")
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [360, 1200])
def test_a_real_browser_shows_the_page_with_nothing_beyond_its_edge(
    width: int, language: Language, tmp_path: Path
) -> None:
    # Headless Chromium has no window narrower than 500, so the phone is a frame in a page that measures it; the
    # report's own policy lets nothing run inside.
    long = "a_very_long_name_" * 12
    report = html.escape(as_html(sample(language, text=long)))
    page = tmp_path / "phone.html"
    frame = f'<iframe id="frame" style="border:0" width="{width}" height="2400" srcdoc="{report}"></iframe>'
    page.write_text(f'<meta charset="utf-8"><body style="margin:0">{frame}{MEASURE}', "utf-8")
    picture = tmp_path / "page.png"
    argv = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    argv += [f"--window-size={max(width, 500)},2400", f"--user-data-dir={tmp_path / 'profile'}"]
    subprocess.run([*argv, f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True, timeout=60)
    dumped = subprocess.run([*argv, "--dump-dom", page.as_uri()], check=True, capture_output=True, timeout=60)
    title = re.search(r"<title>(.*?)</title>", dumped.stdout.decode("utf-8"))
    assert title is not None
    seen = json.loads(html.unescape(title[1]))
    assert (seen["wide"], seen["out"]) == (width, [])
    assert seen["scroll"] <= width
    assert seen["small"] >= 10, "words are readable on a phone"
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 20_000  # a blank page is a few kilobytes
