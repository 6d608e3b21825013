"""Applications on one database that are asked in turn, and draw the same ids and seeds however many they are."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import cycle
from typing import Any
from uuid import UUID

import httpx
import pytest
from litestar.testing import TestClient
from msgspec import structs
from prometheus_client import REGISTRY

from services.campaign.loaded_campaign import LoadedCampaign
from services.settings import Settings
from services.wiring import application as wiring
from tests.applications import an_application


class RequestEntropy:
    """Ids and random bytes that depend on the number of the request alone, and on how many ids it drew.

    The bytes are the same each time: a command that is decided again opens the same dice.
    """

    def __init__(self) -> None:
        self._request = 0
        self._ids: Counter[int] = Counter()

    def next_request(self) -> None:
        self._request += 1

    def salts(self) -> bytes:
        return sha256(f"salts {self._request}".encode()).digest()

    def new_id(self) -> UUID:
        self._ids[self._request] += 1
        drawn = sha256(f"id {self._request} {self._ids[self._request]}".encode()).digest()
        return UUID(bytes=drawn[:16], version=4)


@contextmanager
def the_same_draws() -> Iterator[RequestEntropy]:
    """Whatever application opens within draws from this."""
    entropy = RequestEntropy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "MachineEntropy", lambda: entropy)
        yield entropy


class InTurn(httpx.BaseTransport):
    """Sends each request to the next of some services."""

    def __init__(self, services: list[TestClient[Any]], entropy: RequestEntropy) -> None:
        self._turns = cycle(service._transport for service in services)
        self._entropy = entropy

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._entropy.next_request()
        return next(self._turns).handle_request(request)


@contextmanager
def asked_in_turn(count: int, settings: Settings) -> Iterator[httpx.Client]:
    """A client of so many applications, of which every other one packs events."""
    with ExitStack() as stack:
        entropy = stack.enter_context(the_same_draws())
        applications = [
            stack.enter_context(an_application(structs.replace(settings, pack_events=nth % 2 == 1)))
            for nth in range(count)
        ]
        services = [stack.enter_context(TestClient(each)) for each in applications]
        yield stack.enter_context(httpx.Client(transport=InTurn(services, entropy), base_url=services[0].base_url))


def folded() -> float:
    """Tails that applications of this process have folded because another one had appended."""
    return REGISTRY.get_sample_value("fieldlog_tails_folded_total") or 0.0


@contextmanager
def folding_only_heads() -> Iterator[None]:
    """A defect to be found: of what others appended the head is taken over, and what leads to it is not."""

    def only_the_head(self: LoadedCampaign, rows: list[Any]) -> None:
        if rows:
            last = rows[-1]
            self.head = structs.replace(self.head, seq=last.seq, hash=last.hash, recorded_at=last.recorded_at)
            self.seq = last.seq

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LoadedCampaign, "fold_on", only_the_head)
        yield
