"""The page about the service names what it is made of, which it finds out beside its event loop."""

import sys
import tomllib
from collections.abc import Iterable
from threading import get_ident
from typing import Any

from services.http.screen.about.about import NEEDED, PACKAGES, packages
from tests.root import ROOT


class Watching:
    """Stands among the finders of packages, finds none, and knows which threads asked."""

    def __init__(self) -> None:
        self.threads: set[int] = set()

    def find_spec(self, *_: Any) -> None:
        return

    def find_distributions(self, _: Any) -> Iterable[Any]:
        self.threads.add(get_ident())
        return ()


def test_it_is_read_once_and_not_on_the_event_loop(client):
    watching: Any = Watching()
    packages.cache_clear()
    sys.meta_path.insert(0, watching)
    try:
        assert "msgspec" in client.get("/about").text
        found, watching.threads = watching.threads, set()
        assert client.get("/about").status_code == 200
    finally:
        sys.meta_path.remove(watching)
    assert len(found) == 1
    assert client.blocking_portal.call(get_ident) not in found
    assert watching.threads == set()


def test_it_begins_with_everything_that_the_service_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [NEEDED.match(each) for each in project["dependencies"]]
    assert sorted(PACKAGES) == sorted(match[0] for match in needed if match is not None)
