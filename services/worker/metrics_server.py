"""A worker's own `/metrics`, on a port and a thread of its own."""

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
    """Answers each request on a thread of its own: a slow one holds no other up."""

    daemon_threads = True


class _SixServer(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    timeout = READ_SECONDS_MAX

    def log_message(self, *_: object) -> None:
        """Who reads numbers is no news."""


def serve_metrics(host: str, port: int, token: str) -> None:
    """Serve the numbers of this process to those who send the token, until it ends. Raises OSError."""
    numbers = make_wsgi_app()
    refusal = {"title": "Not signed in", "status": 401, "detail": REFUSAL, "code": "not_signed_in"}

    def guarded(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if is_metrics_token(environ.get("HTTP_AUTHORIZATION", ""), token):
            found: Iterable[bytes] = numbers(environ, start_response)
            return found
        kind = ("Content-Type", "application/problem+json")
        start_response("401 Unauthorized", [kind, ("WWW-Authenticate", "Bearer")])
        return [msgspec.json.encode(refusal)]

    server = make_server(host, port, guarded, _SixServer if ":" in host else _Server, _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
