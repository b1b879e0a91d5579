"""JavaScript, TypeScript, Java and Go: dead code, cycles, layers, tests and loops are judged for them as well."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding
from maintainer.tools.quality.reading.other_languages.facts import tree_facts

Found = Callable[..., list[Finding]]

WEB = {"package.json": '{"name": "web", "private": true, "scripts": {"start": "node src/main.js"}}'}
TESTED = "export function label(x) {\n  if (x) {\n    return `${x}`;\n  }\n" + "  x += 1;\n" * 8 + "  return x;\n}\n"


def symbols(findings: list[Finding]) -> list[str]:
    return sorted(finding.symbol for finding in findings)


def test_a_script_that_exports_what_nobody_imports_holds_dead_code(found: Found) -> None:
    files = {
        **WEB,
        "src/main.js": 'import { used } from "./a.js";\nused();\n',
        "src/a.js": "export function used() { return own(); }\nexport function unused() {}\n"
        "function own() {}\nfunction forgotten() {}\nfunction circle() { circle(); }\n",
    }
    assert symbols(found(files, "dead_code")) == ["circle", "forgotten", "unused"]


def test_common_js_hands_out_without_using(found: Found) -> None:
    files = {
        **WEB,
        "src/main.js": 'const { used } = require("./a");\nused();\n',
        "src/a.js": "function used() {}\nfunction unused() {}\nmodule.exports = { used, unused };\n",
    }
    assert symbols(found(files, "dead_code")) == ["unused"]


def test_a_page_calls_the_functions_of_its_scripts(found: Found) -> None:
    files = {
        **WEB,
        "static/page.js": "function opened() {}\nfunction closed() {}\n",
        "index.html": '<p>closed on sundays</p><button onclick="opened()">open</button>\n',
    }
    assert symbols(found(files, "dead_code")) == ["closed"]


def test_default_exports_and_what_frameworks_call_are_used(found: Found) -> None:
    text = "export default function Page() {}\nexport async function getServerSideProps() {}\n"
    assert found({**WEB, "src/pages/a.tsx": text}, "dead_code") == []


def test_go_keeps_to_its_package_and_java_to_its_class(found: Found) -> None:
    files = {
        "go.mod": "module example.org/x\n",
        "main.go": "package main\n\nfunc main() { help() }\n\nfunc idle() {}\n",
        "help.go": "package main\n\nfunc help() {}\n",
        "other/o.go": "package other\n\nfunc Idle() { idle() }\n\nfunc idle() {}\n",
        "src/App.java": "class App {\n  public static void main(String[] a) { go(); }\n"
        "  private static void go() {}\n  private void gone() {}\n  @Inject private void injected() {}\n}\n",
    }
    assert symbols(found(files, "dead_code")) == ["Idle", "gone", "idle", "idle"]


def test_without_a_start_what_is_exported_is_the_product(found: Found) -> None:
    files = {
        "go.mod": "module example.org/x\n",
        "x.go": "package x\n\nfunc Public() {}\n",
        "src/Tool.java": "public class Tool {\n  public void go() {}\n}\n",
    }
    assert found(files, "dead_code") == []


def test_scripts_that_import_each_other_are_a_cycle_but_types_are_none(found: Found) -> None:
    files = {
        **WEB,
        "src/a.ts": 'import { b } from "./b";\nexport const a = () => b();\n',
        "src/b.ts": 'import { a } from "@/a";\nexport const b = () => a();\n',
        "src/c.ts": 'import type { D } from "./d";\nexport type C = D;\n',
        "src/d.ts": 'import type { C } from "./c";\nexport type D = C;\n',
    }
    [finding] = found(files, "import_cycle")
    assert finding.facts["members"] == ["src/a.ts", "src/b.ts"]


def test_java_classes_of_two_packages_that_import_each_other_are_a_cycle(found: Found) -> None:
    files = {
        "src/main/java/org/x/a/One.java": "package org.x.a;\nimport org.x.b.Two;\nclass One { Two two; }\n",
        "src/main/java/org/x/b/Two.java": "package org.x.b;\nimport org.x.a.One;\npublic class Two { One one; }\n",
    }
    assert len(found(files, "import_cycle")) == 1


def test_a_repository_in_go_that_imports_a_service_is_a_breach(found: Found) -> None:
    files = {
        "go.mod": "module example.org/x\n",
        "services/s.go": 'package services\n\nimport "example.org/x/models"\n\nvar A = models.A\n',
        "services/t.go": 'package services\n\nimport "example.org/x/models"\n\nvar B = models.A\n',
        "models/m.go": 'package models\n\nimport "example.org/x/services"\n\nvar C = services.D\n',
        "services/u.go": "package services\n\nvar D = 1\n",
    }
    [finding] = found(files, "layering")
    assert str(finding.place) == "models/m.go:3"


@pytest.mark.parametrize(
    ("test", "is_tested"),
    [
        ('import { label } from "../src/format.js";\nlabel(1);\n', True),
        ('import { other } from "../src/other.js";\nother();\n', False),
    ],
)
def test_a_script_is_tested_when_a_test_imports_and_names_it(test: str, is_tested: bool, found: Found) -> None:
    files = {**WEB, "src/format.js": TESTED, "src/other.js": "export const other = () => 1;\n"}
    files["src/main.js"] = 'import { label } from "./format.js";\nlabel(2);\n'
    files["test/pages.test.js"] = test
    assert bool(found(files, "missing_tests")) is not is_tested


def test_a_request_or_query_that_is_waited_for_in_a_loop_is_told(found: Found) -> None:
    text = (
        "export async function all(ids) {\n  for (const id of ids) {\n    await fetch(`/x/${id}`);\n"
        "    await User.findById(id);\n    list.find(id);\n  }\n  for (const row of await db.query(1)) {\n  }\n}\n"
    )
    found_at = {(finding.place.line, finding.facts["whom"]) for finding in found({"a.js": text}, "query_in_loop")}
    assert found_at == {(3, "the server"), (4, "the database")}


def test_facts_of_a_broken_file_are_what_could_be_read() -> None:
    facts = tree_facts("export function whole() {}\nfunction broken( {\n", "javascript")
    assert [each.name for each in facts.defined][:1] == ["whole"]
