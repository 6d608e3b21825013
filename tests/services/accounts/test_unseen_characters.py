"""Names that differ by what nobody sees are one name; whoever had such a name before still signs in with it."""

import unicodedata

import pytest

from domain.rejection import Rejection
from infra.machine.entropy import MachineEntropy, machine_clock
from services.accounts.authentication import Authenticator, name_key
from services.campaign.name_resolver import NameResolver
from tests.doubles.account_stores import MemoryAccountStore, no_invites
from tests.services.conftest import PASSWORD

UNSEEN = ["\u3164", "\u115f", "\u1160", "\u2800", "\ufe0f", "\uffa0", "\u034f", "\U000e0100", "\u200d"]

pytestmark = pytest.mark.anyio


def authenticator(accounts):
    return Authenticator(accounts, NameResolver(accounts), MachineEntropy(), 64, no_invites())


@pytest.mark.parametrize("mark", UNSEEN, ids=lambda mark: f"U+{ord(mark):04X}")
async def test_a_name_with_what_nobody_sees_is_the_name_without_it(mark):
    people = authenticator(MemoryAccountStore(machine_clock))
    account = await people.sign_up("Ana", PASSWORD)
    for name in (f"A{mark}na", f"{mark}Ana", f"Ana{mark}"):
        with pytest.raises(Rejection, match="is called"):
            await people.sign_up(name, PASSWORD)
        assert await people.account_of(name, PASSWORD) == account
    with pytest.raises(Rejection, match="Nobody could see that name"):
        await people.sign_up(mark * 3, PASSWORD)


@pytest.mark.parametrize("name", ["Ana", "Zoë", "한글", "שלום", "नमस्ते", "Ана"])
def test_letters_and_what_stands_on_them_are_seen(name):
    """Negative control."""
    assert name_key(name) == unicodedata.normalize("NFKC", name).casefold()


async def test_a_name_that_was_stored_with_such_a_character_is_still_found():
    accounts = MemoryAccountStore(machine_clock)
    people = authenticator(accounts)
    account = await people.sign_up("Ana", PASSWORD)
    kept = accounts._by_name.pop("ana")
    accounts._by_name["ana\ufe0f"] = kept
    assert await people.account_of("Ana\ufe0f", PASSWORD) == account


async def test_such_a_name_is_found_beside_the_one_without_the_character():
    accounts = MemoryAccountStore(machine_clock)
    people = authenticator(accounts)
    former = await people.sign_up("Ana", PASSWORD)
    accounts._by_name["ana\ufe0f"] = accounts._by_name.pop("ana")
    accounts._looks.clear()  # both were made before names were compared by their looks
    plain = await people.sign_up("Ana", PASSWORD)
    assert await people.account_of("Ana\ufe0f", PASSWORD) == former
    assert await people.account_of("Ana", PASSWORD) == plain
    assert await people.account_of("An\ufe0fa", PASSWORD) == plain
