"""Plans an import: an export is verified and played through as a whole before anything is stored.

`services.transfer.import_campaign` appends it afterwards.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from itertools import chain, islice
from tempfile import TemporaryFile
from typing import Any, BinaryIO
from uuid import UUID, uuid5

from msgspec import Struct, structs

from domain.campaign.command_request import ActRequest
from domain.campaign.messages.imports import CampaignImported, ImportedPerson
from domain.campaign.play.characters import characters
from domain.campaign.state import CampaignState
from domain.campaign.storage import event_codec
from domain.campaign.transfer.remap import Crossing
from domain.command_context import Role
from domain.event_store_types import Head, StoredEvent
from domain.hash_chain import GENESIS
from domain.ids import AccountId, ActionId, CampaignId
from domain.one_line import trimmed_line
from domain.rejection import Rejection
from domain.sentences import Sentence, join_parts, number, say, say_many, term
from services.commands.creation_keys import CampaignKey
from services.integrity.checkpoints import Checkpoint, signed_text
from services.runtime.readiness import NotReady
from services.transfer.import_file import Contents, contents, played, rows_of
from services.transfer.transfer_dependencies import TransferParts
from services.transfer.uploaded_export import LIMITS, Limits

IDS_AT_ONCE = 1_000
NAME_MAX = 80
NO_ROOM = {ENOSPC, EDQUOT, EFBIG}
NOTHING = Head(seq=0, hash=GENESIS, recorded_at=0)


class ImportOptions(Struct, frozen=True):
    """How to import a campaign."""

    account: AccountId
    people: dict[str, str] | None
    """Names of accounts by the names in the file.

    None: the file comes from this service, and accounts stay the same.
    """
    name: str | None = None
    """The new campaign's; None: as before."""
    key: CampaignKey | None = None
    """Identifies a repetition."""

    def __post_init__(self) -> None:
        """The name is trimmed. Raises `not_one_line`."""
        if self.name is not None:
            structs.force_setattr(self, "name", trimmed_line(self.name))


class PersonToMap(Struct, frozen=True):
    """A person in the file; `account` is who they become here, null: a name without account.

    Without an account, what is theirs alone has no owner here: `secrets` counts the hidden actions that they may
    read, `purse` is what their own accounts of the ledger hold, and `characters` are the names of whom they play.
    """

    name: str
    role: Role | None
    account: AccountId | None
    secrets: int = 0
    purse: dict[str, int] = {}
    characters: list[str] = []


def alone_in_words(person: PersonToMap) -> Sentence | None:
    """The things that are a person's alone, in words; None: nothing is."""
    parts: list[Sentence] = []
    if person.secrets:
        parts.append(say_many("{n} hidden action", "{n} hidden actions", person.secrets))
    parts += [
        say("{amount} {currency}", amount=number(amount), currency=term(currency))
        for currency, amount in person.purse.items()
        if amount
    ]
    if person.characters:
        parts.append(say("the character {names}", names=join_parts(person.characters)))
    return join_parts(parts) if parts else None


class ImportPreview(Struct, frozen=True):
    """The content of an import. `attested`: this service itself signed the file's checkpoint."""

    campaign_id: CampaignId
    name: str
    systems: list[str]
    exported_at: str
    as_of: int
    events: int
    people: list[PersonToMap]
    attested: bool


class ImportPlan(Struct, frozen=True):
    """A file that was read and played through, and its destination."""

    file: BinaryIO
    limits: Limits
    options: ImportOptions
    contents: Contents
    crossing: Crossing
    opening: CampaignImported
    accounts: dict[AccountId, AccountId]
    state: CampaignState

    @property
    def preview(self) -> ImportPreview:
        """The preview of this plan."""
        header = self.contents.header
        purses, played = self._purses(), self._played()
        return ImportPreview(
            campaign_id=header.campaign_id,
            name=self.options.name or self.state.name,
            systems=[*self.state.systems],
            exported_at=header.exported_at,
            as_of=header.as_of,
            events=self.contents.events,
            people=[
                PersonToMap(
                    person.name,
                    person.role,
                    self.accounts.get(person.account),
                    self.contents.secrets[person.account],
                    purses[str(here)],
                    played[here],
                )
                for person in sorted(self.contents.people, key=lambda person: person.name)
                for here in [AccountId(self.crossing.people(person.account))]
            ],
            attested=self.opening.attested,
        )

    def _purses(self) -> defaultdict[str, dict[str, int]]:
        """The balances of the ledger's accounts, by the ids in which they end; things go by their names."""
        purses: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for account, balance in self.state.balances.items():
            purse = purses[account.partition(":")[2]]
            for currency, amount in balance.items():
                thing = self.state.things.get(currency)
                title = currency if thing is None else thing.name
                purse[title] = purse.get(title, 0) + amount
        return purses

    def _played(self) -> defaultdict[AccountId | None, list[str]]:
        """The names of the characters, by who plays them."""
        played: defaultdict[AccountId | None, list[str]] = defaultdict(list)
        for character in characters(self.state):
            played[character.player].append(character.name)
        return played


@contextmanager
def spool() -> Iterator[BinaryIO]:
    """A temporary file for a campaign in transfer. Raises `NotReady` if there is no room for it."""
    try:
        with TemporaryFile() as file:
            yield file
    except OSError as failure:
        if failure.errno not in NO_ROOM:
            raise
        raise NotReady("no_room_for_file") from None


async def plan_import(
    parts: TransferParts, file: BinaryIO, options: ImportOptions, limits: Limits = LIMITS
) -> ImportPlan:
    """Read a file and play it through; nothing is stored.

    Raises what `services.transfer.import_file` raises, `unknown_person`, `unknown_account` and
    `people_mapped_twice`.
    """
    file_contents = await parts.slices.finish(contents(file, limits))
    accounts = await _accounts(parts, file_contents, options)
    campaign_id = CampaignId(parts.entropy.new_id()) if options.key is None else options.key.campaign_id
    if options.people is not None:
        await _require_no_accounts(parts, file_contents)
    crossing = Crossing(
        campaign_id, _finder(campaign_id, file_contents, accounts, options), file_contents.left_behind
    )
    header = file_contents.header
    opening = CampaignImported(
        campaign_id=header.campaign_id,
        as_of=header.as_of,
        head_hash=header.head_hash,
        exported_at=header.exported_at[:40],
        events=file_contents.events,
        attested=_attested(parts, file_contents),
        people=[
            ImportedPerson(AccountId(crossing.people(person.account)), person.name)
            for person in file_contents.people
        ],
    )
    rows = chain(
        [hash_chained(parts, campaign_id, NOTHING, options.account, opening, 0, None)],
        crossing.brought(rows_of(file, limits), structs.replace(NOTHING, seq=1), lambda: 0, lambda: bytes(16)),
    )
    state = await parts.slices.finish(played(rows, file_contents.undone_ids, parts.names))
    return ImportPlan(file, limits, options, file_contents, crossing, opening, accounts, state)


def hash_chained(
    parts: TransferParts,
    campaign_id: CampaignId,
    head: Head,
    account: AccountId,
    event: Any,
    at: int,
    request: ActRequest | None,
    action_id: ActionId | None = None,
) -> StoredEvent:
    """A row of the service's own, before or after the imported rows."""
    draft = event_codec.Draft(
        campaign_id=campaign_id,
        action_id=action_id or ActionId(parts.entropy.new_id()),
        recorded_at=at,
        game_time=0,
        actor=account,
        cause="request",
        visibility="all",
    )
    return event_codec.seal(draft, head, event, request, parts.entropy.salts())


async def _accounts(
    parts: TransferParts, file_contents: Contents, options: ImportOptions
) -> dict[AccountId, AccountId]:
    """The account here for each person in the file."""
    if options.people is None:
        return {person.account: person.account for person in file_contents.people}
    accounts: dict[AccountId, AccountId] = {}
    for name, here in options.people.items():
        there = [person.account for person in file_contents.people if person.name == name]
        if not there:
            raise Rejection("unknown_person", say("Nobody is called {name} in this file.", name=name[:NAME_MAX]))
        account = await parts.people.account_called(here)
        if account is None:
            raise Rejection("unknown_account", say("There is no account called {name}.", name=here[:NAME_MAX]))
        if account in accounts.values():
            raise Rejection("people_mapped_twice", say("Two people in the file cannot be one account."))
        accounts[there[0]] = account
    return accounts


async def _require_no_accounts(parts: TransferParts, file_contents: Contents) -> None:
    """Raise if an id of an action, which an import keeps, is that of an account here."""
    ids: Iterator[AccountId] = (AccountId(UUID(own_id)) for own_id in file_contents.own_ids)
    while some := list(islice(ids, IDS_AT_ONCE)):
        if await parts.names.accounts_among(some):
            raise Rejection("file_event_unreadable", say("An action in the file has the id of an account here."))


def _finder(
    campaign_id: CampaignId, file_contents: Contents, accounts: dict[AccountId, AccountId], options: ImportOptions
) -> Callable[[UUID], UUID]:
    """A function from ids of the file to ids here; accounts that are not mapped become unknown ids."""
    if options.people is None:
        return lambda file_id: file_id

    def find(file_id: UUID) -> UUID:
        account = accounts.get(AccountId(file_id))
        if account is not None:
            return account
        return file_id if str(file_id) in file_contents.own_ids else uuid5(campaign_id, file_id.hex)

    return find


def _attested(parts: TransferParts, file_contents: Contents) -> bool:
    """Whether the checkpoint in the file is this service's own."""
    if file_contents.checkpoint is None:
        return False
    checkpoint = Checkpoint(**structs.asdict(file_contents.checkpoint))
    signed = parts.signer.sign(signed_text(checkpoint.campaign_id, checkpoint.seq, checkpoint.hash, checkpoint.at))
    return (checkpoint.public_key, checkpoint.signature) == (parts.signer.public_key.hex(), signed.hex())
