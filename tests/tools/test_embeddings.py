import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import numpy as np
import pytest
from maintainer.state.errors import ConfigError, SearchError
from maintainer.tools.embeddings import Endpoint, SentenceEncoder, open_embedder


class _Server(BaseHTTPRequestHandler):
    seen: list[dict[str, object]] = []  # noqa: RUF012 - one list for the fixture to read
    broken = False

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
        rows = [{"index": i, "embedding": [float(len(text)), 1.0]} for i, text in enumerate(body["input"])]
        answer = b"{}" if type(self).broken else json.dumps({"data": rows[::-1]}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    _Server.seen.clear()
    _Server.broken = False
    httpd = HTTPServer(("127.0.0.1", 0), _Server)
    thread = Thread(target=httpd.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{httpd.server_port}/v1"
    httpd.shutdown()
    thread.join()
    httpd.server_close()


def test_the_default_works_offline_in_two_languages() -> None:
    embedder = open_embedder()
    vectors = embedder.embed(["the request timed out", "请求超时了", "a recipe for bread", ""])
    assert vectors.shape == (4, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors[:3], axis=1), 1.0, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
    assert embedder.embed([]).shape == (0, embedder.dimension)


def test_none_means_none() -> None:
    assert open_embedder("none") is None


def test_an_endpoint_is_asked_in_batches_and_its_order_restored(server: str) -> None:
    embedder = open_embedder(f"{server}?model=small", key="k")
    texts = ["x" * (i + 1) for i in range(130)]
    vectors = embedder.embed(texts)
    assert embedder.dimension == 2
    assert embedder.name == "small"
    assert np.allclose(vectors[:, 0] / vectors[:, 1], np.arange(1, 131))
    assert [len(call["input"]) for call in _Server.seen] == [128, 2]
    assert {(call["path"], call["key"], call["model"]) for call in _Server.seen} == {
        ("/v1/embeddings", "Bearer k", "small")
    }


def test_an_endpoint_that_answers_nonsense_is_an_error(server: str) -> None:
    _Server.broken = True
    with pytest.raises(SearchError, match="embedding endpoint"):
        Endpoint(server, "small").embed(["x"])


def test_an_endpoint_that_is_not_there_is_an_error() -> None:
    with pytest.raises(SearchError, match=r"127\.0\.0\.1:9"):
        Endpoint("http://127.0.0.1:9/v1", "small").embed(["x"])


@pytest.mark.parametrize("spec", ["", "word2vec", "ftp://host", "https://host/v1", "file:///etc/passwd"])
def test_a_setting_that_names_no_embedder_is_an_error(spec: str) -> None:
    with pytest.raises(ConfigError, match="embedder"):
        open_embedder(spec)


def test_a_question_does_not_wait_for_the_background() -> None:
    embedder = open_embedder("default")
    assert embedder is not None
    embedder.embed(["warm"])
    order: list[str] = []

    def background() -> None:
        embedder.embed([f"text number {number}" for number in range(400)])
        order.append("background")

    thread = Thread(target=background)
    thread.start()
    embedder.embed(["where are orders placed?"])
    order.append("question")
    thread.join()
    assert order == ["question", "background"]


def test_slices_change_no_vector() -> None:
    embedder = open_embedder("default")
    assert embedder is not None
    texts = [f"order number {number} 订单" for number in range(20)]
    together = embedder.embed(texts)
    alone = [embedder.embed([text])[0] for text in texts]
    assert float(abs(together - alone).max()) < 1e-5


def test_a_model_loaded_beforehand_gives_the_same_vectors() -> None:
    early, late = SentenceEncoder(), SentenceEncoder()
    early.load_soon()
    assert np.array_equal(early.embed(["the request timed out"]), late.embed(["the request timed out"]))


def test_what_holds_the_encoder_to_one_thread_is_installed() -> None:
    from threadpoolctl import ThreadpoolController

    assert ThreadpoolController().select(user_api="blas")
