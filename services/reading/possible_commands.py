"""A member's possible commands, kept until something happens that may change them."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from math import inf
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, structs

from domain.campaign.evolve import evolve_all
from domain.campaign.pending_choices import NamedChoices, named_choices
from domain.campaign.secrecy.audience import TABLE, Audience
from domain.campaign.settings import OWN, settings_of
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.field_references import Given
from domain.ids import AccountId, CampaignId
from domain.offers.command_trials import FirstDice, Trial
from domain.offers.commands_about_things import Thing, acts_of, is_who_acts
from domain.offers.fields import fields_of
from domain.offers.possible_commands import BY_ITSELF, Offer, Offers, commands_of, values_of
from domain.offers.possible_commands_cache import KeptOffers
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems import SYSTEMS, owner_of_kind
from projections.answers_by_command import Answers, Way, answers_by_command, awaited_answers
from projections.awaited_answers import MayAnswer, Name
from projections.campaign.dates import month_names, weekday_names
from projections.campaign.pending_choices import Awaited, choices_of
from projections.command_forms import (
    Act,
    CommandOffer,
    CommandsView,
    CommandWords,
    DiceToRoll,
    KeptWords,
    waiting_of,
)
from projections.titles import groups_of
from services.campaign.name_resolver import NameResolver
from services.campaign.state_at import StateReader
from services.campaign.storage_quotas import TAKEN_ALWAYS
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.event_store import EventStore
from services.reading.dry_run import DryRun, dry_refusal, dry_run
from services.reading.waiting_since import WaitingSince
from services.runtime.event_loop_cost import charge
from services.runtime.sliced_work import Slices

KEPT_MAX = 200
"""So many members' lists are kept, and so many forms, those that were used last."""
SEARCHES_BYTES_MAX = 32 * 2**20
"""So much may be kept of what was looked at for lists, for those who asked last, unless another bound is given."""

CLOCK = "the database's clock"
"""In what is kept of a campaign: the database's time, and when it was asked for by the clock of this process."""
MEASURED_SECONDS_MAX = 10.0
"""So long the clock of this process tells how the database's has gone on."""
NAMES_OF_CHOICES = "choices that have a name"
"""The same of an audience: these choices."""

Asker = tuple[CampaignId, Audience, AccountId, str, int, bytes]
"""The reader, their language, the last change of what they know, and a hash of its dice and of people's names."""
Readers = tuple[CampaignId, bytes, str, bytes]
"""All who know the same in one language: a hash of what they know, and one of its dice and of people's names."""
ACT_TRIES_MAX = 40
"""So many commands are tried to find one that is accepted with a thing in one of its fields."""
ACT_ASKS_MAX = 300
"""So many commands with a thing in one of their fields are searched for the things of one sheet or board."""
Shortage = Callable[[CampaignId], Rejection | None]
"""Why a campaign takes no commands for want of room, but those that it takes always; None: it has room."""
Key = TypeVar("Key")
Value = TypeVar("Value")


class PossibleCommands:
    """Finds out what members may do, one after the other, and keeps it for those who ask again."""

    def __init__(
        self,
        log: EventStore,
        states: StateReader,
        names: NameResolver,
        shortage: Shortage,
        searches_bytes_max: int = SEARCHES_BYTES_MAX,
    ) -> None:
        self._log = log
        self._shortage = shortage
        self._states = states
        self._names = names
        self._waiting = WaitingSince(states)
        self._slices = Slices()
        self._lists: OrderedDict[tuple[Asker, str | None, bool], CommandsView] = OrderedDict()
        self._forms: OrderedDict[tuple[Asker, bytes], CommandOffer] = OrderedDict()
        self._acts: OrderedDict[tuple[Asker, bytes], dict[str, list[Act]]] = OrderedDict()
        self._awaited: OrderedDict[Readers, list[Awaited]] = OrderedDict()
        self._answers: OrderedDict[Asker, list[list[Answers]]] = OrderedDict()
        self._searches: OrderedDict[Any, _Searches] = OrderedDict()
        self._searches_bytes_max = searches_bytes_max

    async def all(self, campaign: VisibleCampaign, character: str | None, *, choices: bool = True) -> CommandsView:
        """Every command with whether it may be given now, what is waited for first.

        With a `character`, commands that name who acts are asked for this character only. Without `choices`,
        fields may lack theirs and their bounds, which are most of what there is to find out.
        """
        asker = _asker(campaign)
        key = (asker, character, choices)
        if (asker, character, True) in self._lists:
            key = (asker, character, True)
        view = self._lists.get(key)
        if view is None:
            waiting = self._awaited_in(campaign)
            knowledge = await self._knowledge(campaign)
            since = await self._waiting.seqs(campaign, [(entry.kind, entry.subject) for entry in waiting])
            offers = await self._all_offers(knowledge, character, None if choices else ())
            view = CommandsView(
                as_of=campaign.seq,
                waiting=waiting_of(waiting, campaign.account, since, is_gm=campaign.role == "gm"),
                commands=offers,
            )
        view = structs.replace(_keep(self._lists, key, view), as_of=campaign.seq)
        return self._as_now(campaign, view)

    async def answers(self, campaign: VisibleCampaign) -> list[list[Answers]]:
        """The answers to each thing that is awaited from the member, in the order of `all`, by command."""
        asker = _asker(campaign)
        answers = self._answers.get(asker)
        if answers is None:
            is_gm = campaign.role == "gm"
            own = [may for _, may in awaited_answers(self._awaited_in(campaign), campaign.account, is_gm=is_gm)]
            steps = _answers_of(await self._knowledge(campaign), own) if own else None
            answers = [] if steps is None else await self._slices.finish(steps)
        return _keep(self._answers, asker, answers)

    def _awaited_in(self, campaign: VisibleCampaign) -> list[Awaited]:
        """All that the campaign waits for, as far as the asker knows; found once for all who know the same."""
        readers = (campaign.campaign_id, campaign.content, campaign.language, _beside(campaign))
        choices = self._awaited.get(readers)
        if choices is None:
            choices = choices_of(campaign.state, campaign.name, campaign.common, campaign.language)
        return _keep(self._awaited, readers, choices)

    async def one(
        self, campaign: VisibleCampaign, command: Mapping[str, Any], after: Sequence[Mapping[str, Any]] = ()
    ) -> CommandOffer:
        """One command as far as it is filled in: the possible values of its other fields.

        With `after`, it is asked about as if these commands had been given. Refuses `unknown_command`,
        `only_a_worker`, and what is refused of them.

        A form asks for the same again whenever something else is entered in it.
        """
        kinds = {kind.__struct_config__.tag: kind for kind in commands_of(campaign.state)}
        kind = kinds.get(str(command.get("type")))
        if kind is None:
            raise Rejection("unknown_command", say("There is no such command in this campaign."))
        if not _is_given_by_members(kind):
            raise Forbidden(BY_ITSELF, say("That happens by itself when it is due: no member gives that command."))
        key = (_asker(campaign), sha256(msgspec.json.encode((command, after), order="deterministic")).digest())
        offer = self._forms.get(key)
        if offer is None:
            knowledge = await (self._own_knowledge(campaign) if after else self._knowledge(campaign))
            before = [msgspec.convert(data, kinds[data["type"]]) for data in after]
            offer = await self._slices.finish(_offer_of(_knowledge_after(knowledge, before), kind, command))
        offer, *_ = self._offered_with_room(campaign, [_keep(self._forms, key, offer)])
        return structs.replace(offer, choice=only_choices_of(campaign).get(offer.command))

    async def acts(self, campaign: VisibleCampaign, things: Sequence[Thing]) -> dict[str, list[Act]]:
        """The acts of each of the things, by its path; things without any are left out."""
        key = (_asker(campaign), sha256(msgspec.json.encode(things)).digest())
        acts = self._acts.get(key)
        if acts is None:
            knowledge = await self._knowledge(campaign)
            acts = await self._searched(knowledge, None, lambda searches: _acts_of(knowledge, searches, things))
        acts = _keep(self._acts, key, acts)
        if self._shortage(campaign.campaign_id) is None:
            return acts
        with_room = {
            path: [act for act in acts_here if act.command in TAKEN_ALWAYS] for path, acts_here in acts.items()
        }
        return {path: acts_here for path, acts_here in with_room.items() if acts_here}

    async def dry_run(self, campaign: VisibleCampaign, command: Any) -> DryRun:
        """The effects of a command now, as far as its asker knows the campaign."""
        shortage = self._shortage(campaign.campaign_id)
        if shortage is not None and str(type(command).__struct_config__.tag) not in TAKEN_ALWAYS:
            return dry_refusal(campaign, shortage)
        knowledge = await self._own_knowledge(campaign)
        return await self._slices.finish(
            dry_run(
                campaign,
                knowledge.state,
                self._names.within(knowledge.state, campaign.language),
                knowledge.trial,
                command,
            ),
            charge,
        )

    async def try_in_turn(self, campaign: VisibleCampaign, commands: Sequence[Any]) -> "Attempts":
        """Try commands without dice, each on the campaign after those before it that are possible."""
        knowledge = await self._own_knowledge(campaign)
        return await self._slices.finish(_try_in_turn(knowledge, commands), charge)

    async def _all_offers(
        self, knowledge: "_Knowledge", character: str | None, choices_of: Collection[str] | None
    ) -> list[CommandOffer]:
        """Every command. An offer from before stays where nothing that was looked at for it is otherwise."""
        return await self._searched(
            knowledge, character, lambda searches: _all_offers(knowledge, searches, character, choices_of)
        )

    async def _searched(
        self,
        knowledge: "_Knowledge",
        character: str | None,
        search: Callable[["_Searches"], Generator[None, None, Value]],
    ) -> Value:
        """The answer of a search that goes on with the offers kept from the last one."""
        campaign = knowledge.campaign
        key = (campaign.campaign_id, campaign.audience, campaign.account, campaign.role, character)
        searches = self._searches.get(key) or _Searches(KeptOffers(), KeptWords(), asyncio.Lock())
        _keep(self._searches, key, searches)
        async with searches.lock:
            try:
                answer = await self._slices.finish(search(searches))
            except BaseException:
                self._searches.pop(key, None)  # it may go on by itself for a moment
                raise
        while len(self._searches) > 1 and self._searches_bytes() > self._searches_bytes_max:
            self._searches.popitem(last=False)
        return answer

    def _searches_bytes(self) -> int:
        return sum(kept.size for kept in self._searches.values())

    def _as_now(self, campaign: VisibleCampaign, view: CommandsView) -> CommandsView:
        """The list, without what there is no room for now, and with what can be answered now."""
        choices = only_choices_of(campaign)
        return structs.replace(
            view,
            commands=[
                structs.replace(offer, choice=choices[offer.command]) if offer.command in choices else offer
                for offer in self._offered_with_room(campaign, view.commands)
            ],
        )

    def _offered_with_room(self, campaign: VisibleCampaign, offers: list[CommandOffer]) -> list[CommandOffer]:
        shortage = self._shortage(campaign.campaign_id)
        if shortage is None:
            return offers
        why = dry_refusal(campaign, shortage).refused
        return [
            offer
            if offer.possible == "no" or offer.command in TAKEN_ALWAYS
            else structs.replace(offer, possible="no", refused=why, example=None, dice=None)
            for offer in offers
        ]

    async def _knowledge(self, campaign: VisibleCampaign) -> "_Knowledge":
        """The member's and everybody's knowledge now. All who ask share it, so it must not be changed."""
        still = campaign.standing_still()
        common = still.state if campaign.audience == TABLE else still.common
        if common is None:
            common = await self._states.at(campaign.campaign_id, TABLE, campaign.seq)
        return _Knowledge(campaign, still.state, common, await self._now(campaign))

    async def _own_knowledge(self, campaign: VisibleCampaign) -> "_Knowledge":
        """The same as a copy, to which events may be applied."""
        knowledge = await self._knowledge(campaign)
        state = decode_state(encode_state(knowledge.state))
        common = state if knowledge.common is knowledge.state else knowledge.common
        return structs.replace(knowledge, state=state, common=common)

    async def _now(self, campaign: VisibleCampaign) -> int:
        """The database's time, which is asked for once by all who ask soon after each other."""
        now = asyncio.get_running_loop().time()
        theirs, measured = campaign.cache.get(CLOCK, (0, -inf))
        if now - measured > MEASURED_SECONDS_MAX:
            theirs, measured = campaign.cache[CLOCK] = await self._log.now(), now
        return int(theirs + (now - measured) * 1_000_000)


def _asker(campaign: VisibleCampaign) -> Asker:
    return (
        campaign.campaign_id,
        campaign.audience,
        campaign.account,
        campaign.language,
        campaign.last_change,
        _beside(campaign),
    )


def _beside(campaign: VisibleCampaign) -> bytes:
    """A hash of the dice of what a member knows, and of people's names."""
    state = campaign.state
    people = [campaign.name(account) for account in (*state.members, *state.former_members)]
    return sha256(msgspec.json.encode((state.dice, people))).digest()


def only_choices_of(campaign: VisibleCampaign) -> dict[str, str]:
    """The names of choices by their commands, where the member can mean only one by giving such a command."""
    key = NAMES_OF_CHOICES, campaign.audience
    if key not in campaign.cache:
        campaign.cache[key] = named_choices(campaign.state)
    choices: NamedChoices = campaign.cache[key]
    return choices.only(campaign.account, is_gm=campaign.role == "gm")


def _keep(cache: OrderedDict[Key, Value], key: Key, value: Value) -> Value:
    """The value, which is kept until so many others were used later."""
    cache[key] = value
    cache.move_to_end(key)
    while len(cache) > KEPT_MAX:
        cache.popitem(last=False)
    return value


class Attempts(NamedTuple):
    """The refusal of each command that was tried, if any, and the campaign after all that were not refused."""

    refusals: list[Rejection | None]
    state: CampaignState


class _Searches(NamedTuple):
    """The offers to a member and their words, which one request at a time goes on with."""

    offers: KeptOffers
    words: KeptWords
    lock: asyncio.Lock

    @property
    def size(self) -> int:
        """Approximate bytes while no request goes on with them."""
        return self.offers.size + self.words.size


class _Knowledge(Struct, frozen=True):
    """A member's knowledge of a campaign, and everybody's activities, at a moment (microseconds UTC)."""

    campaign: VisibleCampaign
    state: CampaignState
    common: CampaignState
    at: int
    nth: int = 0
    """So many commands of a group are given already."""

    @property
    def trial(self) -> Trial:
        """Tries commands as this member."""
        campaign = self.campaign
        return Trial(self.state, campaign.account, campaign.role, self.at, common=self.common, nth=self.nth)

    @property
    def offers(self) -> Offers:
        """Asks for this member."""
        return Offers(self.trial)

    @property
    def words(self) -> CommandWords:
        """Tells what is offered in the language of the reader."""
        shape = settings_of(OWN, self.state.changed_settings).calendar
        language = self.campaign.language
        of_calendar = {"month": month_names(language, shape), "weekday": weekday_names(language, shape)}
        return CommandWords(self.campaign.name, language, self.state.systems, of_calendar)


def _knowledge_after(knowledge: _Knowledge, commands: Sequence[Any]) -> _Knowledge:
    """The knowledge once these commands are given, as far as no dice decide; its own state is changed."""
    for command in commands:
        events = knowledge.trial.events(command)
        state = evolve_all(knowledge.state, events or [])
        knowledge = structs.replace(knowledge, state=state, nth=knowledge.nth + 1)
    return knowledge


def _try_in_turn(knowledge: _Knowledge, commands: Sequence[Any]) -> Generator[None, None, Attempts]:
    refusals: list[Rejection | None] = []
    for command in commands:
        yield
        try:
            knowledge = _knowledge_after(knowledge, [command])
        except Rejection as refusal:
            refusals.append(refusal.with_traceback(None))  # else it keeps alive all that was looked at for it
        else:
            refusals.append(None)
    return Attempts(refusals, knowledge.state)


def _all_offers(
    knowledge: _Knowledge, searches: _Searches, character: str | None, choices_of: Collection[str] | None
) -> Generator[None, None, list[CommandOffer]]:
    """Every command that members give, in the order a table uses them, with choices of some fields or of all."""
    words, possible_offers = knowledge.words, list[CommandOffer]()
    searches.offers.follow(knowledge.trial)
    yield
    for title, kind in _kinds_by_group(knowledge, words):
        acting = next((field.name for field in fields_of(kind) if is_who_acts(field)), None)
        inputs = {} if None in (character, acting) else {str(acting): character}
        offer = searches.offers.offer(kind, inputs, choices_of, parts=False)
        if offer is not None:
            possible_offers.append(searches.words.offer(words, offer, title, choices_of is None))
        yield
    searches.offers.rest()
    return possible_offers


def _acts_of(
    knowledge: _Knowledge, searches: _Searches, things: Sequence[Thing]
) -> Generator[None, None, dict[str, list[Act]]]:
    """The acts of things by their paths in the order a table uses them; last those of which they are a detail."""
    words, trial = knowledge.words, knowledge.trial
    acts, last = ({thing.path: list[Act]() for thing in things} for _ in range(2))
    systems = [None, *map(SYSTEMS.__getitem__, trial.state.systems)]
    values = {system and system.id: values_of(system, trial) for system in systems}
    asks_left = iter(range(ACT_ASKS_MAX))
    searches.offers.follow(trial)
    yield
    for _, kind in _kinds_by_group(knowledge, words):
        offer = searches.offers.offer(kind, {}, parts=False)
        system = owner_of_kind(kind)
        ask = partial(_ask, searches.offers, kind, asks_left)
        if offer is None:
            continue
        for thing in things:
            for fields, is_detail in acts_of(thing, offer, values[system and system.id], ask):
                (last if is_detail else acts)[thing.path].append(words.act(kind, fields))
            yield
    searches.offers.rest()
    return {path: acts_here for path in acts if (acts_here := [*acts[path], *last[path]])}


def _answers_of(
    knowledge: _Knowledge, awaited: Sequence[Sequence[MayAnswer]]
) -> Generator[None, None, list[list[Answers]]]:
    """The answers to all that is awaited from a member, with the dice of those that can be sent as they are."""
    campaign, words, trial = knowledge.campaign, knowledge.words, knowledge.trial
    kinds = {str(kind.__struct_config__.tag): kind for kind in commands_of(knowledge.state)}
    answers = []
    for own in awaited:
        by_command = []
        for group in answers_by_command(own, kinds, words):
            ways = []
            for way in group.ways:
                yield
                dice = _dice_of(trial, way, kinds[group.command], campaign.name)
                ways.append(structs.replace(way, dice=dice))
            by_command.append(structs.replace(group, ways=ways))
        answers.append(by_command)
    return answers


def _dice_of(trial: Trial, way: Way, kind: type[Struct], name: Name) -> DiceToRoll | None:
    """The dice of a way to answer that can be sent as it is; None where none fall."""
    dice = trial.first_dice(msgspec.convert(way.command, kind)) if way.whole else FirstDice([])
    odds = None if dice.odds is None else {name(side): likely for side, likely in dice.odds.items()}
    return DiceToRoll(dice.sides, odds, dice.chance) if dice.sides else None


def _ask(offers: KeptOffers, kind: type[Struct], asks_left: Iterator[int], inputs: Given) -> Offer | None:
    """The offer of a command that says these fields, without its choices; None once too much was asked."""
    if next(asks_left, None) is None:
        return None
    return offers.offer(kind, inputs, (), parts=False, tries_max=ACT_TRIES_MAX)


def _kinds_by_group(knowledge: _Knowledge, words: CommandWords) -> Iterator[tuple[str, type[Struct]]]:
    """Every command that members give, by group in the order a table uses them."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in commands_of(knowledge.state)}
    for title, names in words.groups([*map(str, knowledge.state.systems), "campaign"]):
        yield from ((title, kinds[name]) for name in names)


def _is_given_by_members(kind: type[Struct]) -> bool:
    """Whether a command stands in a group of those that members give: workers give the others."""
    tag = str(kind.__struct_config__.tag)
    return any(tag in names for _, names in groups_of(tag.partition(".")[0]))


def _offer_of(
    knowledge: _Knowledge, kind: type[Struct], command: Mapping[str, Any]
) -> Generator[None, None, CommandOffer]:
    """One command as far as it is said."""
    words = knowledge.words
    tag = str(kind.__struct_config__.tag)
    group = next(title for title, names in words.groups([tag.partition(".")[0]]) if tag in names)
    yield
    offer = knowledge.offers.offer(kind, {name: part for name, part in command.items() if name != "type"})
    assert offer is not None, "groups have no command that happens by itself"
    return words.offer(offer, group)
