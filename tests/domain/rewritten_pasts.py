"""Random play of every system with a hidden past that is rewritten after things entered play."""

from collections import Counter
from functools import partial
from itertools import count
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import EnterPlay, PostEntry, RevealAction
from domain.campaign.events import Hidden
from domain.campaign.evolve import evolve, evolve_undone
from domain.campaign.history.entrance_correction import Retelling
from domain.campaign.history.reveal import reveal_events
from domain.campaign.history.undo import Search
from domain.campaign.knowledge.audience_states import Knowledge, decides
from domain.campaign.knowledge.decision_by_audience import DecidedAction
from domain.campaign.messages.undo import UndoAction
from domain.campaign.recorded_action import CAUSED, PastAction, follows
from domain.campaign.secrecy import hideable_commands
from domain.campaign.secrecy.audience import TABLE, Audience, is_revealed, may_see
from domain.campaign.secrecy.entrance import entrance_events, put_right
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.campaign.subjects import born_in, is_born_in, subjects_in
from domain.command_context import CommandContext
from domain.ids import ActionId
from domain.rejection import Rejection
from tests.domain.plays import PLAYS, told
from tests.domain.secret_play import SecretPlay
from tests.domain.trials import Wish, wish_of
from tests.scripted_dice import ScriptedDice

HIDDEN, ENTERS, PAID, REWRITTEN = 0.8, 0.2, 0.2, 0.25
"""How much may be hidden, and how often at each step something enters, has money, or its past is rewritten."""

FACES = [*range(1, 5)] * 8

LOYAL = 2
"""In every so manyth play nothing is hidden any more once something has entered: then all know the truth.

Unless something follows hidden by itself, as where a test that was rolled hidden before is compared openly.
"""


class Pasts:
    """A play in which the GM hides things, brings them into play, and rewrites what was before.

    `log` is all that was appended. `wrong` are the things that the table knew otherwise than it should, in words.
    """

    def __init__(self, system: str, nth: int) -> None:
        self.chance = Random(f"past of {system} {nth}")  # noqa: S311 — the same play every time
        self.start, self.moves = told(system, PLAYS[system](self.chance))
        self.gm = next(who for who, role in self.start.members.items() if role == "gm")
        players = sorted(who for who, role in self.start.members.items() if role == "player")
        self.reader = players[0]
        self.play = SecretPlay(self.start, [self.reader])
        self.loyal = nth % LOYAL == 0
        self.log: list[PastAction] = []
        self.gone: set[ActionId] = set()
        self.undone: list[set[ActionId]] = []
        self.revealed: set[ActionId] = set()
        self.entered: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def run(self) -> "Pasts":
        """Play it all."""
        for nth, move in enumerate(self.moves):
            wish = wish_of(move, self.gm)
            if wish is None:
                self._append(DecidedAction(None, move.events, ["all"] * len(move.events), 0), move.action_id, None)
                continue
            by_gm = Wish(wish.command, self.gm, wish.at)
            if wish.who is None or self._readers(by_gm) == "all" or not self._act(by_gm, move.action_id, FACES):
                self._act(wish, move.action_id, FACES)
            if self.chance.random() < ENTERS:
                self._enter(nth)
            if self.chance.random() < PAID:
                self._pay(nth)
            if self.entered and self.chance.random() < REWRITTEN:
                self._rewrite(nth)
        return self

    def _act(self, wish: Wish, action_id: ActionId, faces: list[int]) -> bool:
        visibility = self._readers(wish)
        context = self._asked(wish, action_id, visibility)
        try:
            decision = self.play.act(context, visibility, ScriptedDice(faces))
        except Rejection:
            return False
        for each in decision.entering:
            self._log(each, ActionId(each.action_id or action_id), context.account)
            self.entered.add(each.command.subject)
        self._log(decision.main, action_id, context.account)
        if decision.follows is not None:
            behind = ActionId(uuid5(action_id, "follows"))
            self._log(decision.follows, behind, None, f"{CAUSED}{action_id}")
            self.loyal = False
        if isinstance(wish.command, EnterPlay):
            self.entered.add(wish.command.subject)
        return True

    def _asked(self, wish: Wish, action_id: ActionId, visibility: str) -> CommandContext:
        whole = self.play.whole
        return CommandContext(
            command=wish.command,
            account=wish.who,
            role="worker" if wish.who is None else whole.members[wish.who],
            action_id=action_id,
            at=wish.at,
            game_time=whole.game_time,
            settings=None,
            members=whole.members,
            visibility=visibility,
        )

    def _readers(self, wish: Wish) -> str:
        """The GM hides as much as they may: for themself, or for one player."""
        if wish.who != self.gm or self.chance.random() > HIDDEN or (self.loyal and self.entered):
            return "all"
        try:
            known = [self.play.knowledge.of(each, self.play.whole) for each in (TABLE,)]
            hideable_commands.require_hideable(wish.command, self.play.whole, known)
        except Rejection:
            return "all"
        return "gm" if self.loyal else self.chance.choice(["gm", "gm", f"account:{self.reader}"])

    def _enter(self, nth: int) -> None:
        """Something that the table does not know enters play, or, now and then, something that it knows amiss."""
        hidden = sorted(
            each
            for each in subjects_in([event for action in self.log for event in action.events])
            if entrance_events(self.play.whole, each) and not entrance_events(self.play.told[TABLE], each)
        )
        again = sorted(self.entered) if self.chance.random() < 0.2 else []
        if hidden or again:
            subject = self.chance.choice(hidden or again)
            action_id = ActionId(uuid5(NAMESPACE_URL, f"enters-{nth}"))
            self.counts["entered"] += self._act(Wish(EnterPlay(subject), self.gm, 0), action_id, [])

    def _pay(self, nth: int) -> None:
        """Something gets a little of the campaign's own currency, or pays some, in secret or not."""
        named = subjects_in([event for action in self.log for event in action.events])
        if owners := sorted(each for each in named if entrance_events(self.play.whole, each)):
            purse = f"purse:{self.chance.choice(owners)}"
            debit, credit = self.chance.choice([("world:bank", purse), (purse, "world:bank")])
            paid = PostEntry("gold", debit, credit, self.chance.randint(1, 3), "luck")
            action_id = ActionId(uuid5(NAMESPACE_URL, f"paid-{nth}"))
            self.counts["paid"] += self._act(Wish(paid, self.gm, 0), action_id, [])

    def _append(self, decided: DecidedAction, action_id: ActionId, actor: Any, cause: str = "request") -> None:
        self.play.happen(decided)
        self._log(decided, action_id, actor, cause)

    def _log(self, decided: DecidedAction, action_id: ActionId, actor: Any, cause: str = "request") -> None:
        if not decided.events:
            return
        first = self.log[-1].last_seq + 1 if self.log else 1
        self.log.append(
            PastAction(
                action_id=action_id,
                first_seq=first,
                last_seq=first + len(decided.events) - 1,
                recorded_at=0,
                game_time=decided.game_time,
                actor=actor,
                cause=cause,
                visibilities=decided.visibilities,
                request=ActRequest(command=decided.command) if decided.command is not None else None,
                events=decided.events,
            )
        )

    def _rewrite(self, nth: int) -> None:
        """Some action is undone, redone or revealed; those are sought that are hidden."""
        action_id = ActionId(uuid5(NAMESPACE_URL, f"rewritten-{nth}"))
        how = self.chance.choice(["undo", "undo", "redo", "reveal"])
        gone, opened = {*self.gone}, {*self.revealed}
        reveals = how == "reveal"
        facts = self._reveal(action_id) if reveals else self._strike(action_id, redo=how == "redo")
        if facts is None:
            self.gone, self.revealed = gone, opened
            return
        self.counts[how] += 1
        self._retell(action_id, facts, derive_id=how == "reveal")
        self._fold_again()
        self._look_after(f"{how} at {nth}")

    def _hidden(self) -> list[PastAction]:
        return [
            each
            for each in self.log
            if each.visibility != "all" and each.undoable and each.actor is not None and each.request is not None
        ]

    def _reveal(self, action_id: ActionId) -> list[tuple[Any, str]] | None:
        targets = [each for each in self._hidden() if each.action_id not in self.revealed | self.gone]
        known = encode_state(self.play.told[TABLE])
        fitting = [
            each
            for each in targets
            if all(
                is_born_in(subject, each.action_id) or f'"{subject}"'.encode() in known
                for subject in subjects_in(each.events)
            )
        ]
        if not fitting:
            return None
        target = self.chance.choice(fitting)
        self.revealed.add(target.action_id)
        self.opened = target
        return [(event, "all") for event in reveal_events(target, [], action_id)]

    def _strike(self, action_id: ActionId, *, redo: bool) -> list[tuple[Any, str]] | None:
        coming = self.undone[-1] if redo and self.undone else set()
        standing = [each for each in self._hidden() if each.action_id not in self.gone]
        about = [each for each in standing if subjects_in(each.events) & self.entered]
        if about and self.chance.random() < 0.7:
            standing = about
        elif self.chance.random() < 0.5:
            standing = [each for each in self.log if each.undoable and each.action_id not in self.gone]
        if (redo and not coming) or not standing:
            return None
        going = None if coming else self.chance.choice(standing)
        search = Search(
            decode_state(encode_state(self.start)),
            {*self.gone},
            {going.action_id} if going is not None else set(),
            coming,
        )
        for action, following in with_what_follows(self.log):
            search.take(action, following)
        if search.first_refusal is not None or search.makers_in_play:
            return None
        target = going.action_id if going is not None else min(coming)
        facts = search.facts(action_id, target, None)
        struck = {each.action.action_id for each in search.to_undo}
        back = {each.action_id for each in search.restored}
        self.gone = (self.gone | struck) - back
        if encode_state(search.state) != encode_state(self._folded(None)):
            self.wrong.append(f"{target} undone is not as if it had never been")
        if coming:
            self.undone.pop()
        else:
            self.undone.append(struck)
        return [*facts]

    def _retell(self, action_id: ActionId, facts: list[tuple[Any, str]], *, derive_id: bool) -> None:
        """What is appended: what rewrites, and what is told anew."""
        known = {each: decode_state(encode_state(self.start)) for each in self.play.told}
        ids = (uuid5(action_id, f"tells {nth}") for nth in count())
        new_id = partial(next, ids)
        retelling = Retelling(decode_state(encode_state(self.start)), known, self.gone, self.revealed, new_id)
        for action in self.log:
            retelling.take(action)
        retelling.happen(facts)
        entering = [*retelling.enterings()]
        if derive_id:
            made = born_in(self.opened.action_id, self.opened.events)
            entering += retelling.first_enterings(made, self.gm)
        command: Any = RevealAction(action_id) if derive_id else UndoAction(action_id)
        events, readers = [event for event, _ in facts], [who for _, who in facts]
        self._log(DecidedAction(command, events, readers, 0), action_id, self.gm)
        for each in entering:
            self.counts["told anew" if each.shown_by is None else "shown"] += 1
            cause = "request" if each.shown_by is not None else f"{CAUSED}{action_id}"
            decided = DecidedAction(each.command, each.events, [each.visibility] * len(each.events), 0)
            self._log(decided, each.action_id, each.shown_by, cause)
            if each.shown_by is not None:
                self.entered.add(each.command.subject)

    def _fold_again(self) -> None:
        """As the service does it: everybody folds the log again."""
        self.play.whole = self._folded(None)
        self.play.told = {each: self._folded(each) for each in self.play.told}
        alike = all(decides(each) == decides(self.play.whole) for each in self.play.told.values())
        kept = {each: decode_state(encode_state(state)) for each, state in self.play.told.items()}
        self.play.knowledge = Knowledge() if alike else Knowledge(kept)

    def _folded(self, audience: Audience | None, *, as_now: bool = False) -> CampaignState:
        """The campaign as somebody knows it; `as_now`: if every entering had told what it would tell now."""
        state, truth = decode_state(encode_state(self.start)), decode_state(encode_state(self.start))
        for action in self.log:
            stands = action.action_id not in self.gone
            happens = evolve if stands else evolve_undone
            events = [
                event if audience is None or self._reads(audience, action, nth) else Hidden()
                for nth, event in enumerate(action.events)
            ]
            if as_now and stands and action.request is not None and isinstance(action.request.command, EnterPlay):
                events = [] if action.cause.startswith(CAUSED) else _told_now(truth, action)
            for event in events:
                state = happens(state, event)
            if as_now:
                for event in action.events:
                    truth = happens(truth, event)
        return state

    def _reads(self, audience: Audience, action: PastAction, nth: int) -> bool:
        return may_see(action.visibilities[nth], audience) or is_revealed(
            action.action_id, action.events[nth], self.revealed
        )

    def _look_after(self, when: str) -> None:
        """Everybody knows of what entered what they should, and in a loyal play the truth."""
        for audience, known in self.play.told.items():
            should = self.play.whole if self.loyal else self._folded(audience, as_now=True)
            for subject in sorted(self.entered):
                now, then = entrance_events(known, subject), entrance_events(should, subject)
                if put_right(then, now):
                    self.wrong.append(f"{when}, {audience.key}: {subject} is {now}, not {then}")


def _told_now(truth: CampaignState, action: PastAction) -> list[Any]:
    """What an entering would tell now."""
    assert action.request is not None
    fields = msgspec.to_builtins(action.events[0])
    whom = [part for each in fields.values() if isinstance(each, dict) for part in [*each.values()][:1]]
    for subject in (action.request.command.subject, *whom):
        events = entrance_events(truth, subject) if isinstance(subject, str) else []
        if events and type(events[0]) is type(action.events[0]):
            return events
    return action.events


def with_what_follows(log: list[PastAction]) -> list[tuple[PastAction, PastAction | None]]:
    pairs: list[tuple[PastAction, PastAction | None]] = []
    for action in log:
        if pairs and follows(action, pairs[-1][0]):
            pairs[-1] = (pairs[-1][0], action)
        else:
            pairs.append((action, None))
    return pairs
