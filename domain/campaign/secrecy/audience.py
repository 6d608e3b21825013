"""The readers of every event. Each goes through `redacted_for` before it leaves the service.

That a hidden action exists, and its place in the log, is no secret; its kind, author and content are.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from msgspec import Struct, structs

from domain.campaign.events import Hidden
from domain.campaign.messages.undo import (
    ActionAffected,
    ActionRedone,
    ActionUndone,
    UndoDeclined,
    UndoRequested,
)
from domain.campaign.state import ServerDice
from domain.dice.die_proofs import without_numbers
from domain.ids import AccountId, ActionId
from domain.recorded_event import RecordedEvent
from domain.systems import owner_of


class Audience(Struct, frozen=True):
    """All readers who see the same: the GMs, or one account that private events exist for."""

    gm: bool
    account: AccountId | None = None
    """None without `gm`: the rest of the table."""
    whole: bool = False
    """Keeps secrets inside events (a hidden mark).

    For states that decisions are made on: the rules say when they come out.
    """
    with_account: AccountId | None = None
    """Limits it to what this account reads as well, for a decision for two readers."""
    stands_for: frozenset[tuple[AccountId, AccountId]] = frozenset()
    """The people of an import that its accounts were said to be, each with the account.

    The account reads what was for that person (`standing_for`).
    """

    @property
    def key(self) -> str:
        """The name of this audience in stored views: `gm`, `table` or `account:<id>`."""
        who = "table" if self.account is None else str(self.account)
        if self.with_account is not None:
            who = f"{who},{self.with_account}"
        if self.whole:
            return f"whole:{who}"  # never stored
        if self.gm:
            return "gm"
        return who if self.account is None else f"account:{who}"

    @classmethod
    def from_key(cls, key: str) -> "Audience":
        """The audience with this name in stored views; for two accounts, in any order, the one of both."""
        first, second = (*sorted(accounts_in(key), key=str), None, None)[:2]
        return cls(gm=key == "gm", account=first, with_account=second)


GM = Audience(gm=True)

TABLE = Audience(gm=False)
"""All readers who are no GMs and have no private events."""


NOTHING_OPENED = ServerDice()
"""No hidden die was opened."""


def may_see(visibility: str, audience: Audience) -> bool:
    """Whether an event of this visibility is open to this audience."""
    if visibility == "all" or audience.gm:
        return True
    if audience.account is None or not _is_for(visibility, audience.account, audience):
        return False
    return audience.with_account is None or _is_for(visibility, audience.with_account, audience)


def _is_for(visibility: str, account: AccountId, audience: Audience) -> bool:
    """Whether a visibility names an account of an audience, or a person for whom it stands."""
    return str(account) in visibility or any(
        member == account and str(person) in visibility for person, member in audience.stands_for
    )


def standing_for(audience: Audience, stands_for: Mapping[AccountId, AccountId]) -> Audience:
    """The audience while members stand for these people of an import, and for no others."""
    own = frozenset(pair for pair in stands_for.items() if pair[1] in (audience.account, audience.with_account))
    return audience if own == audience.stands_for else structs.replace(audience, stands_for=own)


def as_now(visibility: str, stands_for: Mapping[AccountId, AccountId]) -> str:
    """A visibility with members in place of the people for whom they stand."""
    if not stands_for or not (accounts := accounts_in(visibility)):
        return visibility
    return f"account:{','.join(sorted({str(stands_for.get(each, each)) for each in accounts}))}"


def accounts_in(visibility: str) -> list[AccountId]:
    """The accounts that an event is for, besides GMs; none where it is for everyone, or for GMs alone."""
    kind, _, accounts = visibility.partition(":")
    return [AccountId(UUID(part)) for part in accounts.split(",")] if kind == "account" else []


def all_read(visibility: str, readers: str) -> bool:
    """Whether all readers of things for `readers` may read things with this visibility."""
    if visibility == "all" or readers == "all":
        return visibility == "all"
    return {*accounts_in(readers)} <= {*accounts_in(visibility)}


def private_audiences(*visibilities: str, stands_for: Mapping[AccountId, AccountId]) -> list[Audience]:
    """The audiences besides the table with events of these visibilities: accounts, and pairs of accounts.

    Members are in the place of the people for whom they stand; the events read so are not in it (`standing_for`).
    """
    visibilities = tuple(as_now(visibility, stands_for) for visibility in visibilities)
    accounts = {
        Audience(gm=False, account=account) for visibility in visibilities for account in accounts_in(visibility)
    }
    audiences = {Audience.from_key(audience) for audience in visibilities if accounts_in(audience)}
    return sorted(accounts | audiences, key=lambda each: each.key)


def private_keys(visibilities: Iterable[str]) -> set[str]:
    """The names in stored views of the accounts that events of these visibilities are for."""
    return {f"account:{account}" for visibility in visibilities for account in accounts_in(visibility)}


def with_asker(visibility: str, account: AccountId | None, *, is_gm: bool) -> str:
    """The stored visibility for a requested one: the asker reads the events too, unless they are `blind`."""
    if account is None or is_gm or visibility in ("all", "blind"):
        return visibility
    return f"account:{','.join(sorted({str(account), *map(str, accounts_in(visibility))}))}"


ABOUT_ACTIONS = ActionUndone | ActionRedone | ActionAffected | UndoRequested | UndoDeclined
"""Events about the fate of another action, which have its readers."""


def is_revealed(action_id: ActionId, event: Any, revealed_ids: Collection[ActionId]) -> bool:
    """Whether an event is open since a reveal: of its action, or of the action that it is about."""
    if not revealed_ids:
        return False
    return action_id in revealed_ids or (isinstance(event, ABOUT_ACTIONS) and event.action_id in revealed_ids)


def may_read(audience: Audience, record: RecordedEvent, revealed_ids: Collection[ActionId]) -> bool:
    """Whether an event is open to this audience; `revealed_ids` are the actions revealed so far."""
    return may_see(record.visibility, audience) or is_revealed(record.action_id, record.event, revealed_ids)


def redacted_for(
    audience: Audience,
    record: RecordedEvent,
    revealed_ids: Collection[ActionId] = (),
    dice: ServerDice = NOTHING_OPENED,
) -> RecordedEvent:
    """The event as this audience reads it: whole, with its secrets taken out, or as a placeholder.

    `revealed_ids` are the actions revealed so far, `dice` tells which hidden dice were opened to this audience.
    Folds leave `dice` out: they do not depend on it, so that a reveal of dice does not change them.
    """
    if audience.gm:
        return record
    if record.visibility == "all" or may_read(audience, record, revealed_ids):
        if audience.whole:
            return record
        is_open = record.visibility == "all" or is_revealed(record.action_id, record.event, revealed_ids)
        open_event = without_secrets(record.event)
        if not is_open:
            open_event = without_numbers(open_event, dice.has_opened)
        return record if open_event is record.event else structs.replace(record, event=open_event)
    return structs.replace(
        record,
        kind=Hidden.__struct_config__.tag,
        kind_version=Hidden.kind_version,
        actor=None,
        cause="",
        visibility="hidden",
        command=None,
        event=Hidden(),
    )


def is_same_for_all(record: RecordedEvent) -> bool:
    """Whether every audience reads the event as it is in the log, which is the usual case."""
    return record.visibility == "all" and without_secrets(record.event) is record.event


def without_secrets(event: Any) -> Any:
    """An open event as players read it."""
    system = owner_of(event)
    return system.redact(event) if system is not None else event
