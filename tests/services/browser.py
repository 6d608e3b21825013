"""A browser at the API: it keeps a session's cookie, and says which page it is on."""

from typing import Any

import httpx

from tests.services.conftest import PASSWORD

FIREFOX_ON_ANDROID = "Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0"


class Browser:
    """One that signs in under a name. `headers` go with every request, as those of `Person` do."""

    def __init__(
        self, client: httpx.Client, name: str, *, password: str = PASSWORD, agent: str = FIREFOX_ON_ANDROID
    ) -> None:
        self.client = client
        self.origin = str(client.base_url).rstrip("/")
        self._agent = {"User-Agent": agent, "Origin": self.origin}
        self.cookie = ""
        self.signed_in = self.sign_in(name, password)
        assert self.signed_in.status_code == 201, self.signed_in.text

    def sign_in(self, name: str, password: str = PASSWORD) -> httpx.Response:
        """Sign in, and keep the cookie if one is set."""
        response = self.send("POST", "/session", json={"name": name, "password": password})
        if "set-cookie" in response.headers:
            self.cookie = response.headers["set-cookie"].partition(";")[0]
        return response

    @property
    def headers(self) -> dict[str, str]:
        return self._agent | ({"Cookie": self.cookie} if self.cookie else {})

    def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        """A request under `/api`; a header that is None in `headers` is left out."""
        given = self.headers | request.pop("headers", {})
        headers = {name: value for name, value in given.items() if value is not None}
        response = self.client.request(method, f"/api{path}", headers=headers, **request)
        self.client.cookies.clear()  # else the other people of a test would send them too
        return response

    def get(self, path: str, **request: Any) -> httpx.Response:
        return self.send("GET", path, **request)

    def post(self, path: str, json: Any = None, **request: Any) -> httpx.Response:
        return self.send("POST", path, json=json, **request)
