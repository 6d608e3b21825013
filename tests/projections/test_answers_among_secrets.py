"""Who reads nothing but boards and the campaign page is refused nothing, also where not everybody knows all.

Plays of every system with some of it hidden, at the end of which somebody is removed: every answer is asked
openly, or hidden where it says that it has to be, and accepted.
"""

from collections import Counter
from typing import Any
from uuid import UUID

import pytest

from domain.campaign import commands as c
from domain.campaign.dice.dice_to_decide_again import Twos
from domain.campaign.knowledge import decision_by_audience as secrecy
from domain.campaign.secrecy import hideable_commands
from domain.campaign.secrecy.audience import TABLE, Audience
from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from domain.systems.system import RuleSystem
from projections.awaited_answers import MayAnswer, WaitingFor
from projections.boards import board
from projections.campaign.pending_choices import choices_of
from projections.systems import SYSTEM_VIEWS
from tests.domain.board_answers import commands
from tests.domain.plays import PLAYS
from tests.domain.secret_play import SecretPlay
from tests.domain.trials import LAWLESS, Trials, Wish
from tests.sampling import slow_but

PLAYS_OF_EACH = 12
"""Of which those are left out where anything is hidden, as no request may."""

NOTHING_HIDDEN = ("mobile_frame", "overdrive")
"""Their boards offer nothing about whoever is hidden, and hidden frames take no part in a battle."""

EVERY = 8
"""After so many commands everybody looks up from play."""


class Reader:
    """Somebody who reads boards and the campaign page; `common` is the campaign as everybody knows it."""

    def __init__(self, play: SecretPlay, account: AccountId, *, marks: bool) -> None:
        self._play = play
        self._account = account
        self._role = play.whole.members[account]
        knowledge = play.knowledge
        self._known = knowledge.of(Audience(gm=self._role == "gm", account=account), play.whole)
        self._table = knowledge.of(TABLE, play.whole)
        self._common = self._table if marks else None

    def waiting(self) -> list[WaitingFor]:
        """Everything on the campaign page and on the boards."""
        found: list[WaitingFor] = [*choices_of(self._known, str, self._common)]
        for system in self._known.systems:
            for each in SYSTEM_VIEWS[system].boards:
                drawn: Any = board(self._known, system, each.board, str, self._common)[1]
                found += getattr(drawn, "waits_for", [])
        return found

    def refused(self) -> list[str]:
        """What is offered to them and refused, or gives away what could be done hidden."""
        found = []
        for each in self.waiting():
            asked = each.waits_for == self._account if each.waits_for is not None else self._role == "gm"
            mine = [*(each.answers if asked else []), *(each.gm_answers if self._role == "gm" else [])]
            for answer in mine:
                # The campaign's own are tried in `test_awaited`.
                system = SYSTEMS.get(answer.command["type"].partition(".")[0])
                if system is not None and (why := self._refusal(system, answer, hidden=each.hidden)) is not None:
                    found.append(f"{each.told}: {why}")
        return found

    def _refusal(self, system: RuleSystem, answer: MayAnswer, *, hidden: bool) -> str | None:
        whole, visibility = self._play.whole, "gm" if hidden else "all"
        command = commands(system, answer)[0]
        context = CommandContext(
            command=command,
            account=self._account,
            role=self._role,
            action_id=ActionId(UUID(int=0)),
            at=0,
            game_time=whole.game_time,
            settings=None,
            members=whole.members,
            visibility=visibility,
        )
        try:
            if hidden:
                hideable_commands.require_hideable(command, self._known, [self._table])
            decision = secrecy.decide(whole, self._play.knowledge, context, visibility, Twos())
        except Rejection as refusal:
            if refusal.code == "not_possible_now" and self._known is not whole:
                return None  # nothing tells who does not know what stands against it
            return f"{refusal.code} of {command} for {visibility}"
        gives_away = decision.entering and self._common is not None and self._may_be_hidden(command)
        return f"{command} gives away {decision.entering}" if gives_away else None

    def _may_be_hidden(self, command: Any) -> bool:
        try:
            hideable_commands.require_hideable(command, self._known, [self._table])
        except Rejection:
            return False
        return True


class Readers(Trials):
    """A play at which everybody looks up from time to time; `refused` is what they were offered in vain."""

    def __init__(self, system: str, nth: int, *, marks: bool = True) -> None:
        super().__init__(system, nth)
        self.marks = marks
        self.refused: list[str] = []
        self.read: Counter[str] = Counter()

    def _try(self, context: CommandContext) -> None:
        """What is refused alike is looked at elsewhere."""

    def _play(self, wish: Wish, action_id: ActionId, faces: list[int]) -> None:
        super()._play(wish, action_id, faces)
        self.read["commands"] += 1
        if self.read["commands"] % EVERY == 0:
            self.look()

    def look(self) -> None:
        """Everybody reads what awaits a word."""
        for who in sorted({self.gm, *self.players} & {*self.play.whole.members}):
            reader = Reader(self.play, who, marks=self.marks)
            self.refused += reader.refused()
            self.read.update("hidden" if each.hidden else "open" for each in reader.waiting())
            self.read["absent"] += sum(each.absent is not None for each in reader.waiting())

    def remove(self) -> None:
        """Somebody who is waited for leaves, if anybody is."""
        waiting = Reader(self.play, self.gm, marks=self.marks).waiting()
        gone = next((each.waits_for for each in waiting if each.waits_for in self.players), self.players[0])
        self._play(Wish(c.RemoveMember(gone), self.gm, 0), ActionId(UUID(int=1)), [])
        self.look()


def lawful(system: str, *, marks: bool = True) -> list[Readers]:
    """Plays where only that is hidden which requests may hide."""
    found = [Readers(system, nth, marks=marks) for nth in range(PLAYS_OF_EACH) if nth % LAWLESS != LAWLESS - 1]
    for each in found:
        each.run()
        each.remove()
    return found


@pytest.mark.parametrize("system", slow_but(sorted(PLAYS), "frame_state"))
def test_every_answer_is_accepted_as_it_says_it_has_to_be_asked(system):
    counts: Counter[str] = Counter()
    for each in lawful(system):
        assert each.refused == []
        counts += each.read
    assert min(counts["open"], counts["absent"]) > 0
    assert counts["hidden"] > 0 or system in NOTHING_HIDDEN


def test_answers_that_do_not_say_so_are_found_out():
    """The control: without the marks, what rests on hidden things is offered openly and refused."""
    assert any(each.refused for each in lawful("frame_state", marks=False))
