import pytest
from maintainer.tools.code_index.languages import LANGUAGES, language_of, parser_of
from maintainer.tools.code_index.parse import parse

PYTHON = b'''import os, a.b as c
from .near import thing
from . import other

# says what f does
@decorated
def f(x):
    """Double it."""
    def inner(): pass
    return x

class A(Base):
    """An A."""
    limit = 1

    def get(self): return 1

    class Small: pass

if True:
    def g(): pass
else:
    async def h(): pass
'''

SOURCES = {
    "python": (PYTHON, ["f", "A", "A.get", "A.Small", "g", "h"], ["os", "a.b", ".near", ".near.thing", ".", ".other"]),
    "javascript": (
        b"import x from './a';\nconst y = require('b');\nexport default class A { foo() {} bar = () => 2 }\n"
        b"export const f = async (a) => a;\nfunction* g() {}\nmodule.exports.h = function () {};\n",
        ["A", "A.foo", "A.bar", "f", "g", "h"],
        ["./a", "b"],
    ),
    "typescript": (
        b"import { x } from '../a';\nexport interface I { a: string }\nexport type T = string;\nenum E { A }\n"
        b"namespace N { export function z() {} }\nabstract class C<T> { private m(a: number): void {} }\n",
        ["I", "T", "E", "N", "N.z", "C", "C.m"],
        ["../a"],
    ),
    "tsx": (b"export const Page = () => <div>hi</div>;\n", ["Page"], []),
    "java": (
        b"package p;\nimport java.util.List;\n/** Doc. */\npublic class A<T> {\n  public A() {}\n"
        b"  int m(int a) { return 1; }\n  interface I { void q(); }\n  enum E { X }\n  record R(int a) {}\n}\n",
        ["A", "A.A", "A.m", "A.I", "A.I.q", "A.E", "A.R"],
        ["java.util.List"],
    ),
    "go": (
        b'package main\nimport (\n\t"fmt"\n\tm "a/b"\n)\n// F does.\nfunc F(a int) error { return nil }\n'
        b"func (s *S) M() {}\ntype S struct{ a int }\ntype I interface{ Q() }\n",
        ["F", "M", "S", "I"],
        ["fmt", "a/b"],
    ),
    "rust": (
        b"use crate::a::{b, c};\n/// Doc.\npub fn f() {}\nstruct S { a: i32 }\nimpl T for S { fn m(&self) {} }\n"
        b"enum E { A }\n"
        b"trait T { fn n(&self) {} }\nmacro_rules! mm { () => {} }\nmod inner { fn q() {} }\n",
        ["f", "S", "S", "S.m", "E", "T", "T.n", "mm", "inner", "inner.q"],
        ["crate::a"],
    ),
    "c": (
        b'#include "a.h"\n#include <stdio.h>\n/* Doc. */\nstatic int *f(int a) { return 0; }\nstruct S { int a; };\n'
        b"typedef struct { int b; } T;\n#ifdef Q\nint g(void) { return 1; }\n#endif\n#define M(x) x\n",
        ["f", "S", "T", "g", "M"],
        ["a.h", "stdio.h"],
    ),
    "cpp": (
        b"#include <vector>\nnamespace n {\nclass A { public: int m() const { return 1; } };\n"
        b"template <class T> T f(T a) { return a; }\n}\nint n::A::q(int a) { return 2; }\n",
        ["n", "n.A", "n.A.m", "n.f", "n.A.q"],
        ["vector"],
    ),
    "ruby": (
        b"require 'a'\nrequire_relative 'b'\nmodule M\n  class A < B\n    def m(a)\n      1\n    end\n"
        b"    def self.s; end\n  end\nend\n",
        ["M", "M.A", "M.A.m", "M.A.s"],
        ["a", "b"],
    ),
    "php": (
        b"<?php\nnamespace A\\B;\nuse C\\D;\nrequire 'x.php';\nfunction f($a) { return 1; }\n"
        b"class A { public function m() {} }\ninterface I { function q(); }\ntrait T {}\n",
        ["f", "A", "A.m", "I", "I.q", "T"],
        ["C.D", "x.php"],
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_definitions_and_imports_of_each_language(language: str) -> None:
    source, names, imports = SOURCES[language]
    parsed = parse(source, language)
    assert [definition.name for definition in parsed.definitions] == names
    assert list(parsed.imports) == imports
    assert parsed.problem == ""


def test_a_definition_knows_its_lines_and_signature() -> None:
    f, a, *_ = parse(PYTHON, "python").definitions
    assert (f.start, f.line, f.end, f.signature) == (5, 7, 10, "def f(x)")
    assert (a.start, a.head_end, a.end, a.kind) == (12, 15, 18, "class")


def test_a_comment_above_belongs_to_the_definition() -> None:
    source = b"package p\n\n// unrelated\n\n// F opens the door.\n// Slowly.\nfunc F() {}\n"
    (f,) = parse(source, "go").definitions
    assert (f.start, f.line) == (5, 7)


def test_a_file_with_errors_gives_what_can_be_read_and_says_so() -> None:
    parsed = parse(b"def good():\n    return 1\n\ndef bad(:\n    x = = 2\n\ndef also_good(): pass\n", "python")
    assert "good" in [definition.name for definition in parsed.definitions]
    assert parsed.problem.startswith("syntax error near line 4")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", [b"", b"\n\n", b"\xff\xfe\x00", b"(" * 5_000, b"class " * 3_000, "语法。".encode()])
def test_no_input_is_too_odd(language: str, source: bytes) -> None:
    parse(source, language)


def test_languages_are_told_by_suffix_and_their_grammars_load() -> None:
    assert language_of("a/B.PY") == "python"
    assert language_of("x.tsx") == "tsx"
    assert language_of("README.md") == ""
    for name in LANGUAGES:
        assert parser_of(name).parse(b"").root_node is not None
