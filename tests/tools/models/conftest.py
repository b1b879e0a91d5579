"""A server that speaks the OpenAI wire format as the real ones do, and fails as they do."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from maintainer.state.options import Options
from maintainer.tools.models import Model
from maintainer.tools.models.roles import open_model

Play = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Answers each request with the next play of the endpoint."""

    protocol_version = "HTTP/1.1"
    endpoint: "Endpoint"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.endpoint.requests.append(body)
        self.endpoint.keys.append(self.headers["authorization"])
        self.endpoint.paths.append(self.path)
        self.endpoint.plays.popleft()(self)

    def log_message(self, *_: Any) -> None:
        """Keep the test output quiet."""

    def begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def send_raw(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n" % len(data) + data + b"\r\n")
        self.wfile.flush()

    def send_event(self, value: Any) -> None:
        self.send_raw(f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n")

    def send_delta(self, delta: dict[str, Any], finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self.send_event({"id": "x", "object": "chat.completion.chunk", "model": "m", "choices": [choice]})

    def end_stream(self) -> None:
        self.send_event("[DONE]")
        self.wfile.write(b"0\r\n\r\n")

    def break_off(self) -> None:
        self.close_connection = True


class Endpoint:
    """What the server plays and what it was asked."""

    def __init__(self) -> None:
        self.plays: deque[Play] = deque()
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.paths: list[str] = []
        self.waits: list[float] = []
        """Seconds the model waited between its attempts."""
        self.over = threading.Event()
        handler = type("BoundHandler", (Handler,), {"endpoint": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def model(self, spec: str = "openai-compatible:m", **settings: Any) -> Model:
        """Return our model of this endpoint; it notes its waits instead of waiting."""
        options = Options(
            **{"model": spec, "base_url": self.url, "api_key": "sk-test", "model_timeout_s": 5, **settings}
        )
        model: Any = open_model(spec, options)
        model._sleep = self.waits.append
        return model

    def says(
        self,
        *words: str,
        finish: str | None = "stop",
        usage: dict[str, Any] | None = None,
        thinking: tuple[str, ...] = (),
        field: str = "reasoning_content",
        calls: tuple[tuple[str, str, tuple[str, ...]], ...] = (),
    ) -> None:
        """Answer the next request in a stream; `calls` are (id, name, parts of the arguments)."""

        def play(handler: Handler) -> None:
            handler.begin_stream()
            handler.send_delta({"role": "assistant", "content": ""})
            for thought in thinking:
                handler.send_delta({field: thought})
            for word in words:
                handler.send_delta({"content": word})
            for index, (id_, name, parts) in enumerate(calls):
                start = {"index": index, "id": id_, "type": "function", "function": {"name": name, "arguments": ""}}
                handler.send_delta({"tool_calls": [start]})
                for part in parts:
                    handler.send_delta({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
            if finish:
                handler.send_delta({}, finish)
            if usage:
                handler.send_event({"id": "x", "object": "chat.completion.chunk", "choices": [], "usage": usage})
            handler.end_stream()

        self.plays.append(play)

    def refuses(self, status: int, *, body: Any = None, **headers: str) -> None:
        """Answer the next request with an HTTP error; header names are written with underscores."""

        def play(handler: Handler) -> None:
            data = json.dumps(body or {"error": {"message": "no", "type": "t", "code": None}}).encode()
            handler.send_response_only(status)
            for name, value in {"content_type": "application/json", **headers}.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.send_header("content-length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data)

        self.plays.append(play)

    def plays_once(self, play: Play) -> None:
        self.plays.append(play)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    served = Endpoint()
    yield served
    served.close()
