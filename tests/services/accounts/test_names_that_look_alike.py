"""Two names that look the same are not both taken; accounts that were there before stay as they are."""

from asyncio import gather
from uuid import UUID

import psycopg
import pytest

from domain.accounts import LooksTaken
from domain.ids import AccountId
from domain.rejection import Rejection
from infra.machine.entropy import MachineEntropy, machine_clock
from infra.postgres.account_stores import PostgresAccountStore
from infra.postgres.driver.database import Database
from services.accounts.authentication import Authenticator, name_key
from services.accounts.lookalike_names import looks_of
from services.campaign.name_resolver import NameResolver
from tests.doubles.account_stores import MemoryAccountStore, no_invites
from tests.services.conftest import PASSWORD, Person
from tests.web.browser import Browser
from tests.web.html_page import page_of

ALIKE = [
    ("Ana", "\u0410na"),  # a Cyrillic letter
    ("Ana", "\u0410N\u0410"),
    ("Ilse", "llse"),  # a small L for a capital I
    ("Ilse", "\u0456lse"),  # a Ukrainian letter
    ("Noor", "N00r"),
    ("Tom", "Torn"),
    ("Mara Dell", "Mara  Dell"),
    ("Zo\u00eb", "Zoe\u0308"),
    ("Paul", "\u03a1aul"),
    ("scope", "\u0455\u0441\u043e\u0440\u0435"),
]
APART = [
    ("Neil", "Nell"),
    ("Ali", "Eli"),
    ("Ana", "Anna"),
    ("Zoe", "Zo\u00eb"),
    ("Somebody 1", "Somebody 11"),
    ("\u0410\u043d\u0430", "Ana"),
    ("Ben", "Dan"),
]


@pytest.fixture
async def stores(database):
    async with Database(database.service, readers=4) as connections:
        yield {"memory": MemoryAccountStore(machine_clock), "postgres": PostgresAccountStore(connections)}


def authenticator(accounts):
    return Authenticator(accounts, NameResolver(accounts), MachineEntropy(), 64, no_invites())


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_names_that_look_alike_share_a_look(name, other):
    assert looks_of(name) & looks_of(other)


@pytest.mark.parametrize(("name", "other"), APART)
def test_names_that_can_be_told_apart_share_none(name, other):
    """Negative control."""
    assert not looks_of(name) & looks_of(other)


def test_a_name_that_looks_like_another_is_refused(client):
    Person(client, "Ana")
    account = {"name": "\u0410na", "password": PASSWORD}
    refusal = client.post("/api/accounts", json=account)
    assert (refusal.status_code, refusal.json()["code"]) == (409, "name_looks_taken")
    page = page_of(Browser(client, "fr").post("/sign-up", **account).text)
    assert page.one("p", role="alert").text.startswith("Ce nom a la même apparence que celui")
    Person(client, "\u0410\u043d\u0430")  # another alphabet throughout, and another look


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["memory", "postgres"])
async def test_accounts_that_were_there_before_stay_and_keep_others_from_looking_like_them(database, stores, kind):
    accounts = stores[kind]
    people = authenticator(accounts)
    names = ["Paul", "\u03a1aul", "Mara"]
    for number, name in enumerate(names, 1):
        await accounts.create(AccountId(UUID(int=number)), name, name_key(name), "x")
    if kind == "memory":  # as the release before made them
        accounts._noted.clear()
    else:
        with psycopg.connect(database.owner, autocommit=True) as owner:
            owner.execute("UPDATE accounts SET looks_noted = false")
    for name in ("\u0420aul", "M\u0430ra"):
        with pytest.raises(Rejection, match="looks the same"):
            await people.sign_up(name, PASSWORD)
    assert [account.name for name in names if (account := await accounts.by_name(name_key(name)))] == names
    assert await accounts.names_to_note(10) == []


@pytest.mark.anyio
async def test_of_many_who_want_names_that_look_the_same_at_once_one_gets_it(stores):
    accounts = stores["postgres"]
    names = ["scope", "\u0455cope", "s\u0441ope", "sc\u043epe", "sco\u0440e", "scop\u0435"]

    async def take(number, name):
        try:
            return await accounts.create(AccountId(UUID(int=number)), name, name, "x", None, looks_of(name))
        except LooksTaken:
            return False

    assert sum(await gather(*(take(number, name) for number, name in enumerate(names, 1)))) == 1
