"""A worker's own `/metrics`, on a separate port and thread."""

import socket
import threading
from collections.abc import Iterable
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import StartResponse, WSGIEnvironment

import msgspec
from prometheus_client import make_wsgi_app

from services.runtime.metrics_token import REFUSAL, is_metrics_token

READ_SECONDS_MAX = 10


class _Server(ThreadingMixIn, WSGIServer):
    """Answers each request on a thread of its own: a slow one does not block another."""

    daemon_threads = True


class _SixServer(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    timeout = READ_SECONDS_MAX

    def log_message(self, *_: object) -> None:
        """Do nothing: requests for metrics are not logged."""


def serve_metrics(host: str, port: int, token: str) -> None:
    """Serve this process's metrics to callers with the token, until the process ends. Raises OSError."""
    numbers = make_wsgi_app()
    refusal = {"title": "Not signed in", "status": 401, "detail": str(REFUSAL), "code": "not_signed_in"}

    def guarded(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if is_metrics_token(environ.get("HTTP_AUTHORIZATION", ""), token):
            body: Iterable[bytes] = numbers(environ, start_response)
            return body
        kind = ("Content-Type", "application/problem+json")
        start_response("401 Unauthorized", [kind, ("WWW-Authenticate", "Bearer")])
        return [msgspec.json.encode(refusal)]

    server = make_server(host, port, guarded, _SixServer if ":" in host else _Server, _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
