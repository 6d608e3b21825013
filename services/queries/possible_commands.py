"""What a member may do now, kept until the campaign moves on."""

from collections import OrderedDict
from collections.abc import Callable, Generator, Mapping
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, structs

from domain.campaign.aggregate import pending
from domain.campaign.secrecy.audience import TABLE, Audience
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import AccountId, CampaignId
from domain.offers.fields import Field, fields_of
from domain.offers.offers import Offers, commands_of
from domain.offers.trial import Trial
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.system import Pending
from projections.campaign.pending_choices import awaited
from projections.possible_commands import CommandOffer, CommandsView, CommandWords, waiting_of
from services.ports.event_store import EventStore
from services.queries.campaign_reader import VisibleCampaign
from services.queries.dry_run import DryRun, dry_run, refused
from services.queries.name_resolver import NameResolver
from services.runtime.slices import Slices
from services.state.state_at import StateReader

KEPT_MAX = 200
"""So many members' lists are kept, and so many forms, those that were used last."""

Asker = tuple[CampaignId, Audience, AccountId, str, int]
"""Who asks, in which language, and as of which seq."""
NoRoom = Callable[[CampaignId, type[Struct]], Rejection | None]
"""Why a campaign takes no such command for want of room; None: it does."""
Key = TypeVar("Key")
Value = TypeVar("Value")
PendingKey = tuple[CampaignId, Audience, str, str]


class PossibleCommands:
    """Finds out what members may do, one after the other, and keeps it for those who ask again."""

    def __init__(self, log: EventStore, states: StateReader, names: NameResolver, no_room: NoRoom) -> None:
        self._log = log
        self._no_room = no_room
        self._states = states
        self._names = names
        self._slices = Slices()
        self._lists: OrderedDict[tuple[Asker, str | None], CommandsView] = OrderedDict()
        self._forms: OrderedDict[tuple[Asker, bytes], CommandOffer] = OrderedDict()
        self._since: OrderedDict[PendingKey, int] = OrderedDict()

    async def all(self, seen: VisibleCampaign, character: str | None) -> CommandsView:
        """Every command with whether it may be given now, what is waited for first.

        With a `character`, commands that name who acts are asked for this character only.
        """
        key = (_asker(seen), character)
        view = self._lists.get(key)
        if view is None:
            waiting = awaited(seen.state, seen.name, seen.common, seen.language)
            known = await self._known(seen)
            since = [await self._since_seq(seen, each.kind, each.subject) for each in waiting]
            found = await self._slices.finish(_offered(known, character))
            view = CommandsView(
                as_of=seen.seq,
                waiting=waiting_of(waiting, seen.account, since, is_gm=seen.role == "gm"),
                commands=found,
            )
        return self._with_room(seen, _keep(self._lists, key, view))

    async def one(self, seen: VisibleCampaign, said: Mapping[str, Any]) -> CommandOffer:
        """One command as far as it is said: what may stand in its other fields. Refuses `unknown_command`.

        A form asks for the same again whenever something else is entered in it.
        """
        kinds = {kind.__struct_config__.tag: kind for kind in commands_of(seen.state)}
        kind = kinds.get(str(said.get("type")))
        if kind is None:
            raise Rejection("unknown_command", say("There is no such command in this campaign."))
        key = (_asker(seen), sha256(msgspec.json.encode(said, order="deterministic")).digest())
        found = self._forms.get(key)
        if found is None:
            found = await self._slices.finish(_asked(await self._known(seen), kind, said))
        return self._offered_with_room(seen, {found.command: kind}, _keep(self._forms, key, found))

    async def dry_run(self, seen: VisibleCampaign, command: Any) -> DryRun:
        """What a command would do now, as far as its asker knows the campaign."""
        if (refusal := self._no_room(seen.campaign_id, type(command))) is not None:
            return refused(seen, refusal)
        known = await self._known(seen)
        return await self._slices.finish(
            dry_run(seen, known.state, self._names.within(known.state, seen.language), known.trial, command)
        )

    def _with_room(self, seen: VisibleCampaign, view: CommandsView) -> CommandsView:
        """The list, without what there is no room for now."""
        kinds = {str(kind.__struct_config__.tag): kind for kind in commands_of(seen.state)}
        offers = [self._offered_with_room(seen, kinds, each) for each in view.commands]
        return structs.replace(view, commands=offers)

    def _offered_with_room(
        self, seen: VisibleCampaign, kinds: Mapping[str, type[Struct]], offer: CommandOffer
    ) -> CommandOffer:
        refusal = self._no_room(seen.campaign_id, kinds[offer.command])
        if refusal is None or offer.possible == "no":
            return offer
        why = refused(seen, refusal).refused
        return structs.replace(offer, possible="no", refused=why, example=None, dice=None)

    async def _known(self, seen: VisibleCampaign) -> "_Known":
        """Copies of what the member and what everybody knows, to which no events are applied meanwhile."""
        state = decode_state(encode_state(seen.state))
        common = state
        if seen.audience != TABLE:
            folded = seen.common and decode_state(encode_state(seen.common))
            common = folded or await self._states.at(seen.campaign_id, TABLE, seen.seq)
        return _Known(seen, state, common, await self._log.now())

    async def _since_seq(self, seen: VisibleCampaign, kind: str, subject: str) -> int:
        """The seq since which something is waited for without a break."""
        key = (seen.campaign_id, seen.audience, kind, subject)
        since = self._since.get(key)
        if since is None:
            since = await self._first_seq(seen, kind, subject)
        return _keep(self._since, key, since)

    async def _first_seq(self, seen: VisibleCampaign, kind: str, subject: str) -> int:
        """Steps back twice as far each time until it is not waited for, then halves the way."""
        waits, step = seen.seq, 1
        while waits > 1:
            before = max(1, waits - step)
            if not _waits(await self._states.at(seen.campaign_id, seen.audience, before), kind, subject):
                return await self._between(seen, kind, subject, before, waits)
            waits, step = before, 2 * step
        return waits

    async def _between(self, seen: VisibleCampaign, kind: str, subject: str, not_yet: int, waits: int) -> int:
        while waits - not_yet > 1:
            middle = (not_yet + waits) // 2
            if _waits(await self._states.at(seen.campaign_id, seen.audience, middle), kind, subject):
                waits = middle
            else:
                not_yet = middle
        return waits


def _asker(seen: VisibleCampaign) -> Asker:
    return (seen.campaign_id, seen.audience, seen.account, seen.language, seen.seq)


def _keep(kept: OrderedDict[Key, Value], key: Key, value: Value) -> Value:
    """The value, which is kept until so many others were used later."""
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > KEPT_MAX:
        kept.popitem(last=False)
    return value


class _Known(Struct, frozen=True):
    """What a member knows of a campaign, and what everybody does, at a moment (microseconds UTC)."""

    seen: VisibleCampaign
    state: CampaignState
    common: CampaignState
    at: int

    @property
    def trial(self) -> Trial:
        """Tries commands as this member."""
        return Trial(self.state, self.seen.account, self.seen.role, self.at, common=self.common)

    @property
    def offers(self) -> Offers:
        """Asks for this member."""
        return Offers(self.trial)

    @property
    def words(self) -> CommandWords:
        """Tells what is offered in the language of the reader."""
        return CommandWords(self.seen.name, self.seen.language, self.state.systems)


def _offered(known: _Known, character: str | None) -> Generator[None, None, list[CommandOffer]]:
    """Every command that members give, in the order a table uses them."""
    offers, words, found = known.offers, known.words, []
    kinds = {str(kind.__struct_config__.tag): kind for kind in commands_of(known.state)}
    for title, names in words.groups([*map(str, known.state.systems), "campaign"]):
        for kind in (kinds[name] for name in names):
            acting = next((each.name for each in fields_of(kind) if _is_who_acts(each)), None)
            given = {} if None in (character, acting) else {str(acting): character}
            offer = offers.offer(kind, given, parts=False)
            if offer is not None:
                found.append(words.offer(offer, title))
            yield
    return found


def _asked(known: _Known, kind: type[Struct], said: Mapping[str, Any]) -> Generator[None, None, CommandOffer]:
    """One command as far as it is said."""
    words = known.words
    tag = str(kind.__struct_config__.tag)
    group = next(title for title, names in words.groups([tag.partition(".")[0]]) if tag in names)
    yield
    offer = known.offers.offer(kind, {name: each for name, each in said.items() if name != "type"})
    assert offer is not None, "groups have no command that happens by itself"
    return words.offer(offer, group)


def _is_who_acts(field: Field) -> bool:
    return field.ref == "character" and field.name in ("character", "pilot")


def _waits(state: CampaignState, kind: str, subject: str) -> bool:
    waiting: list[Pending] = pending(state)
    return any((each.kind, each.subject) == (kind, subject) for each in waiting)
