"""A server of the test's own that webhooks are sent to: it answers as it is told, and keeps what it was sent."""

import base64
import hmac
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

Answer = int | tuple[int, dict[str, str]] | Callable[[BaseHTTPRequestHandler], None]
"""A status, a status with headers, or something else that is done in place of an answer."""


class Received(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def is_signed_with(self, secret: str) -> bool:
        """As docs/play/webhooks.md says it."""
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + self.body
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = base64.b64encode(hmac.digest(key, signed, sha256)).decode()
        return hmac.compare_digest(f"v1,{expected}", self.headers["webhook-signature"])


class Receiver:
    """What came, and the answers that are still to be given; after these it confirms everything."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.came: list[Received] = []
        self.answers: list[Answer] = []
        self.otherwise: Callable[[], Answer] = lambda: 204
        self._taking = threading.Lock()

    @property
    def news(self) -> list[Any]:
        return [item for each in self.came for item in each.json["news"]]

    def take(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        with self._taking:  # so that answers are in the order in which the requests came
            answer = self.answers.pop(0) if self.answers else self.otherwise()
            self.came.append(Received(handler.path, headers, body))
        if callable(answer):
            answer(handler)
            return
        status, more = answer if isinstance(answer, tuple) else (answer, {})
        handler.send_response(status)
        for name, value in more.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection without an answer."""
    handler.close_connection = True
    handler.connection.close()


@contextmanager
def receiving() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            receiver.take(self)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def finish(self) -> None:
            with suppress(OSError, ValueError):  # it was hung up
                super().finish()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_port}/hook")
    running = threading.Thread(target=server.serve_forever, args=(0.05,))
    running.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        running.join()
        server.server_close()
