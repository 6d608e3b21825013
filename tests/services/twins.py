"""Random play of any rule system with secrets, and the same campaign as one reader knows it: its twin.

What a system's own random play has people do is done once with everything, and once more in a service of its own
for each reader, without what is hidden from them. Both draw the same ids and dice, so whatever the reader can read
or provoke must be the same, but for placeholders and for what is counted here.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.campaign import commands as c
from domain.campaign.command_request import ActRequest
from domain.campaign.messages import escrow as m
from domain.campaign.messages import timers as t
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.character_retirement import BringCharacterBack, Fate, RetireCharacter
from domain.campaign.messages.names import Rename
from domain.campaign.messages.things import CreateThing
from domain.campaign.play.characters import characters
from domain.campaign.play.names import renameable
from domain.campaign.secrecy.hideable_commands import hiding_of
from domain.campaign.state import CampaignState
from domain.campaign.subjects import is_born_in, subjects_in
from domain.ids import AccountId, ActionId, CampaignId, SystemId
from domain.rejection import Rejection
from domain.systems import owner_of
from services.application import Application
from services.commands.pending_command import PendingCommand
from services.workers.projector import Projector
from tests.services.conftest import Person, Table
from tests.services.play_at_random import Played, played
from tests.services.things_at_random import about_things
from tests.services.two_tellings import Canonical, Telling
from tests.stories.memory_service import SECOND, memory_service

READER, OTHER, OBSERVER = "Mara", "Ben", "Olaf"
TYPED = 0.5
"""How many commands that want dice are given those of the table."""

TOUCHES = 0.3
"""In how many plays hidden things happen to open characters, too."""

RENAMED_EVERY = 4
RETIRED_EVERY = 10
THINGS_EVERY = 2
FATES: tuple[Fate, ...] = ("dead", "gone")

UNDONE = 0.4
"""How many of the things that GMs alone read are undone at once."""

UNPARTED = {"angst": 1, "frame_state": 0, "freefall": 0, "mobile_frame": 3, "overdrive": 0}
"""The first play of each system that is tried where it has to be one in which no secret shows."""
PLAYS_MAX = 8
"""How many of them are tried."""
HIDES_MIN = 3

KEPT_BACK = frozenset({"not_possible_now", "rests_on_hidden"})


class Answered(Struct, frozen=True):
    """What somebody hears: a code and a sentence, or the answer."""

    code: str | None
    detail: str
    answer: dict[str, Any]

    @property
    def told(self) -> Any:
        """All that can be told apart, whatever else happened in the campaign."""
        if self.code is not None:
            return self.code, self.detail
        waits = [(each["kind"], each["subject"], each["waits_for"]) for each in self.answer["pending"]]
        events = [{name: part for name, part in each.items() if name != "seq"} for each in self.answer["events"]]
        return events, self.answer["summary"], waits


class Side(Telling):
    """One of the campaigns, in a service of its own."""

    def __init__(self, stack: ExitStack, seed: int, system: str, seats: int) -> None:
        self.client = stack.enter_context(memory_service(seed))
        self.application: Application = self.client.app.state.application
        self.gm, *self.players, self.observer = (
            Person(self.client, name)
            for name in ("Ana", READER, OTHER, *(f"P{nth}" for nth in range(seats - 2)), OBSERVER)
        )
        founded = self.gm.post("/campaigns", {"name": "Iron Rain", "systems": [system]}).json()
        self.table = Table(self.gm, self.players[0], founded["campaign_id"])
        self.campaign_id = CampaignId(UUID(founded["campaign_id"]))
        self.ids = {}
        for person in (*self.players, self.observer):
            role = "observer" if person is self.observer else "player"
            code = self.gm.post(f"{self.table.path}/invites", {"role": role}).json()["code"]
            assert person.post(f"/invites/{code}/accept").status_code == 201

    @property
    def people(self) -> list[Person]:
        return [self.gm, *self.players]

    @property
    def now(self) -> int:
        return int(self.client.app.state.clock.now)

    def at(self, moment: int) -> None:
        """Let it be a moment."""
        self.client.app.state.clock.now = moment

    def act(self, who: AccountId, request: ActRequest, action_id: ActionId) -> Answered:
        """Somebody acts in an action of that id."""

        async def acting() -> bytes:
            return await self.application.handler.act(
                PendingCommand(
                    campaign_id=self.campaign_id,
                    account=who,
                    request=request,
                    action_id=action_id,
                    answered=asyncio.get_running_loop().create_future(),
                )
            )

        try:
            answer = self.client.blocking_portal.call(acting)
        except Rejection as refusal:
            return Answered(refusal.code, str(refusal.message), {})
        return Answered(None, "", json.loads(answer))

    def work(self) -> None:
        """A worker does what is due, and stored views are brought up to date."""

        async def working() -> None:
            await self.application.handler.run_due(self.campaign_id, self.now, [])
            await Projector(self.application.log, self.application.views, self.application.handler).campaign(
                self.campaign_id
            )

        self.client.blocking_portal.call(working)


class Twins:
    """One play: `whole`, and for the table and for one player a twin that lacks what is hidden from them.

    `hidden` are things that not everybody knows of, with who does, `touched` open ones that something hidden has
    happened to. `counted` are differences that have to be, by kind and command; `deviations` are all others.
    """

    def __init__(self, system: str, seed: int, stack: ExitStack) -> None:
        self.chance = Random(f"twins {system} {seed}")  # noqa: S311 — a seed per play, so that it can be played again
        self.renaming = Random(f"renames {system} {seed}")  # noqa: S311 — as above
        self.handling = Random(f"things {system} {seed}")  # noqa: S311 — as above
        self.moves = played(system, self.chance)
        accounts = {
            each.context.account: each.context.role for each in self.moves if each.context.account is not None
        }
        played_by = sorted((who for who, role in accounts.items() if role == "player"), key=str)
        gm = next(who for who, role in accounts.items() if role == "gm")
        seats = max(2, len(played_by))
        self.whole, self.for_table, self.for_reader = (Side(stack, seed, system, seats) for _ in range(3))
        own = [AccountId(UUID(person.account_id)) for person in self.whole.people]
        self.seats = {str(theirs): str(ours) for theirs, ours in zip([gm, *played_by], own, strict=False)}
        self.gm, self.reader, self.other = own[:3]
        self.system = SystemId(system)
        self.hidden: dict[str, str] = {}
        self.touched: set[str] = set()
        self.touches = self.chance.random() < TOUCHES
        self.counted: Counter[tuple[str, str]] = Counter()
        self.deviations: list[str] = []
        self.parted: list[Side] = []
        self.acts = self.hides = self.undoes = 0

    def play(self) -> None:
        """Play it all, or up to the first deviation, and compare what can be read at the end."""
        for nth, move in enumerate(self.moves):
            if self.deviations:
                break
            self._move(move, may_hide=nth > len(self.moves) // 6)
            for _ in range(self.chance.randint(0, 2)):
                who = self.chance.choice([self.gm, self.gm, self.reader, self.other])
                self._do(who, self._something(), self._visibility(who))
            if nth % RENAMED_EVERY == RENAMED_EVERY - 1:
                self._rename(f"Name {nth}")
            if nth % THINGS_EVERY == THINGS_EVERY - 1:
                self._handle_things()
            if nth % RETIRED_EVERY == RETIRED_EVERY - 1:
                self._retire()
            if nth % 12 == 11:
                for side in self._sides():
                    side.at(self._later(nth=3))
                    side.work()
        self.compare()

    def compare(self) -> None:
        """Note every difference between what readers can read of the campaigns."""
        for twin, person in ((self.for_table, "observer"), (self.for_reader, "players")):
            if twin in self.parted:
                continue
            reads = []
            for side in (self.whole, twin):
                found = getattr(side, person)
                reads.append(side.read(found[0] if person == "players" else found))
            whole, without = reads
            for where in sorted(whole.keys() | without.keys()):
                if whole.get(where) != without.get(where):
                    self.deviations.append(f"{person} {where}: {_first(whole.get(where), without.get(where))}")

    def _sides(self) -> list[Side]:
        return [self.whole, self.for_table, self.for_reader]

    def _rename(self, name: str) -> None:
        """Something gets another name, for whoever knows of it."""
        other_chance, self.chance = self.chance, self.renaming
        thing = self.chance.choice([None, *sorted(renameable(self._truth()))])
        who = self.chance.choice([self.gm, self.gm, self.reader])
        self._do(who, Rename(name, thing), "all" if thing is None else self.hidden.get(thing, "all"))
        self.chance = other_chance

    def _retire(self) -> None:
        """A character leaves the story, and is back before long, for whoever knows of them."""
        other_chance, self.chance = self.chance, self.renaming
        state = self._truth()
        people = [each.character for each in characters(state)]
        if people:
            who = self.chance.choice([*people, *state.departures])
            fate, heir = self.chance.choice(FATES), self.chance.choice([None, "crew"])
            command = BringCharacterBack(who) if who in state.departures else RetireCharacter(who, fate, heir)
            self._do(self.gm, command, self.hidden.get(who, "all"))
        self.chance = other_chance

    def _handle_things(self) -> None:
        """Something happens with a thing of the group: hidden where it is of something hidden."""
        other_chance, self.chance = self.chance, self.handling
        who = self.chance.choice([self.gm, self.gm, self.reader])
        command = about_things(self.chance, self._known_to(who))
        secret = sorted({self.hidden[each] for each in subjects_in([command]) if each in self.hidden})
        is_new = isinstance(command, CreateThing)
        self._do(who, command, secret[0] if secret else self._visibility(who) if is_new else "all")
        self.chance = other_chance

    def _truth(self) -> CampaignState:
        return self._known_to(self.gm)

    def _known_to(self, who: AccountId) -> CampaignState:
        side = self.whole
        return side.client.blocking_portal.call(side.application.campaigns.see, side.campaign_id, who).state

    def _later(self, nth: int = 1) -> int:
        return self.whole.now + nth * SECOND

    def _move(self, move: Played, *, may_hide: bool) -> None:
        """The next thing of the system's own play: hidden where it is of something hidden."""
        context = move.context
        if context.command is None or context.account is None:
            return
        command, who = self._seated(context.command), AccountId(UUID(self.seats[str(context.account)]))
        named = subjects_in([command])
        secret = sorted({self.hidden[each] for each in named if each in self.hidden})
        visibility = "all"
        if secret:
            visibility = secret[0]
        elif may_hide and (self.touches or not named):
            visibility = self._visibility(who)
        self._do(who, command, visibility, move.dice or None, context.action_id)

    def _do(
        self,
        who: AccountId,
        command: Any,
        visibility: str,
        dice: list[tuple[int, int]] | None = None,
        action_id: ActionId | None = None,
    ) -> None:
        """Somebody does something, here and in the twin of whoever may know of it."""
        moment = self._later()
        for side in self._sides():
            side.at(moment)
        if hiding_of(command).of(command) == "never":
            visibility = "all"
        if isinstance(command, c.RollDice):
            dice = [(6, self.chance.randint(1, 6)), (6, self.chance.randint(1, 6))]
        # How many hidden rolls there were before decides which dice the service has for the next.
        is_typed = visibility != "all" or self.chance.random() < TYPED
        typed = dice if dice and is_typed else None
        request = ActRequest(command=command, dice=typed, visibility=visibility)
        action_id = action_id or ActionId(UUID(int=self.chance.getrandbits(128), version=4))
        answer = self.whole.act(who, request, action_id)
        if answer.code in KEPT_BACK:
            if answer.code == "not_possible_now":  # the other one tells only what whoever asks knows
                self.counted[answer.code, request.command.__struct_config__.tag] += 1
            return
        self.acts += answer.code is None
        if answer.code is None and visibility != "all":
            self.hides += 1
            self._remember(answer, request, who)
            self._undo(who, request, action_id)
        for twin, reader in ((self.for_table, self.other), (self.for_reader, self.reader)):
            if twin in self.parted or not self._may_know(twin, who, visibility):
                continue
            if answer.code is None or who == reader:
                self._do_in(twin, who, request, action_id, answer)

    def _do_in(
        self, twin: Side, who: AccountId, request: ActRequest, action_id: ActionId, answer: Answered
    ) -> None:
        """The same in a twin, whose reader knows as much as whoever asks, or reads what comes of it."""
        command = request.command.__struct_config__.tag
        reader = self.other if twin is self.for_table else self.reader
        if any("_entered" in each["type"] for each in answer.answer.get("events", [])):
            self._part(twin, "enters play", command)
            return
        same = twin.act(who, request, action_id)
        if answer.code is None and same.code is not None and who != reader:
            self._refused_there(twin, request, same)
            return
        heard, without = (answer.told, same.told) if who == reader else self._read_of(twin, action_id)
        if heard == without:
            return
        if answer.code is None and subjects_in([answer.answer]) & self.touched:
            self._part(twin, "goes as it really goes", command)
        else:
            self.deviations.append(f"{command} {request}: {heard}, but without secrets {without}")
            self.parted.append(twin)

    def _undo(self, who: AccountId, request: ActRequest, action_id: ActionId) -> None:
        """Now and then the GM undoes what nobody else knows of, and perhaps brings it back."""
        if who != self.gm or request.visibility != "gm" or self.chance.random() > UNDONE:
            return
        for asked in self.chance.choice([["undo"], ["undo", "redo"]]):
            answer = self.whole.gm.post(f"{self.whole.table.path}/actions/{action_id}/{asked}", {})
            self.undoes += answer.status_code == 201

    def _refused_there(self, twin: Side, request: ActRequest, refusal: Answered) -> None:
        """What was done for all to read is refused where somebody knows less, or more than the table does."""
        command = request.command.__struct_config__.tag
        system = owner_of(request.command)
        if system is not None and type(request.command) in system.shows_outcomes:
            self._part(twin, "tells how it ended", command)
        elif twin is self.for_reader:
            self._part(twin, "forbidden by what one knows alone", command)
        else:
            self.deviations.append(f"{command} {request}: done, but without secrets {refusal.told}")
            self.parted.append(twin)

    def _read_of(self, twin: Side, action_id: ActionId) -> tuple[str, str]:
        """What the twin's reader reads of an action, here and there."""
        reads = []
        for side in (self.whole, twin):
            reader = side.observer if twin is self.for_table else side.players[0]
            page = reader.get(f"{side.table.path}/actions/{action_id}").json()
            reads.append(Canonical().text(page))
        return reads[0], reads[1]

    def _part(self, twin: Side, why: str, command: str) -> None:
        """From here on the reader knows more than their twin."""
        self.counted[why, command] += 1
        self.parted.append(twin)

    def _may_know(self, twin: Side, who: AccountId, visibility: str) -> bool:
        if visibility == "all":
            return True
        if twin is self.for_table:
            return False
        return visibility == f"account:{self.reader}" or (who == self.reader and visibility == "gm")

    def _remember(self, answer: Answered, request: ActRequest, who: AccountId) -> None:
        """Which things are hidden since, with how to act upon them, and which open ones something happened to."""
        by_player = who != self.gm and request.visibility == "gm"
        readers = f"account:{who}" if by_player else request.visibility
        action_id = ActionId(UUID(answer.answer["action_id"]))
        read = self.whole.gm.get(f"{self.whole.table.path}/actions/{action_id}").json()
        for each in subjects_in(read.get("events", [])):  # none where nothing came of it
            if is_born_in(each, action_id):
                self.hidden[each] = readers
            elif each not in self.hidden:
                self.touched.add(each)

    def _seated(self, command: Any) -> Any:
        """The command with the accounts of those who are here."""
        text = msgspec.json.encode(command).decode()
        for theirs, ours in self.seats.items():
            text = text.replace(theirs, ours)
        return msgspec.json.decode(text, type=type(command))

    def _visibility(self, who: AccountId) -> str:
        if self.chance.random() < 0.6:
            return "all"
        if who == self.gm:
            return self.chance.choice(["gm", "gm", f"account:{self.reader}"])
        # Others than the reader stand for the table, which knows nothing that is between one of them and the GM.
        return self.chance.choice(["gm", "blind"]) if who == self.reader else "blind"

    def _something(self) -> Any:
        """What people do besides."""
        chance = self.chance
        while_ = Span(seconds=chance.randint(1, 4 * 3600))
        return chance.choice(
            [
                c.AddNote(f"A note {chance.randint(1, 99)}."),
                c.RollDice("2d6"),
                c.AdvanceCalendar(while_),
                c.StartScene("Dock"),
                c.EndScene(),
                c.StartSession(),
                c.EndSession(),
                c.PostEntry("credits", "world:market", "crew", chance.randint(1, 9), "a round", new=True),
                c.PostEntry("credits", "crew", "world:market", chance.randint(1, 9), "a bill", new=True),
                m.OfferTransfer("credits", "crew", "dock", 3, "a bribe", new=True),
                t.ScheduleTimer("Bell", while_, clock="real" if self.acts % 2 else None),
                t.ScheduleTimer(
                    "Fees", while_, t.Post("credits", "crew", "world:dock", 5, new=True), times=2, every=while_
                ),
            ]
        )


Kind = TypeVar("Kind", bound=Twins)


@contextmanager
def unparted(kind: Callable[[str, int, ExitStack], Kind], system: str) -> Iterator[Kind]:
    """A play of a system after which neither reader knows more than their twin, and in which something was hidden.

    Where what is hidden enters play, or decides how something open goes, no twin goes on.
    """
    first = UNPARTED[system]
    for seed in range(first, first + PLAYS_MAX):
        with ExitStack() as stack:
            twins = kind(system, seed, stack)
            twins.play()
            assert twins.deviations == []
            if not twins.parted and twins.hides > HIDES_MIN:
                yield twins
                return
    message = f"what is hidden shows in each of {PLAYS_MAX} plays of {system}"
    raise AssertionError(message)


def _first(one: str | None, other: str | None) -> str:
    if one is None or other is None:
        return "only in one of them"
    pairs = zip(one.splitlines(), other.splitlines(), strict=False)
    return next((f"{left.strip()} / {right.strip()}" for left, right in pairs if left != right), "longer")
