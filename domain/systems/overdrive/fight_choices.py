"""The choices that a fight waits for: their players, subjects and possible answers (OD-19 … OD-26).

Every answer is tried on the state before it is offered, so the rules accept all of them.
"""

from collections.abc import Collection, Iterable, Iterator

from domain.ids import AccountId
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.initiative import OBJECTIVE
from domain.systems.overdrive.pending_answers import PendingAnswer, Trial
from domain.systems.overdrive.rolls import HIDDEN
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import Attack, Character, Combat, OverdriveState, PendingLoss, Position
from domain.systems.overdrive.tables import BUTT, Direction, MovementMode

MODES: tuple[MovementMode, ...] = ("maneuver", "cover", "advantage")
DIRECTIONS: tuple[Direction, ...] = ("outward", "inward", "clockwise", "counterclockwise")


class Fight(Trial):
    """A fight and a trial of its possible answers. `able` are the accounts that may act, where known."""

    def __init__(
        self, state: OverdriveState, combat: Combat, settings: Settings, able: Collection[AccountId] | None
    ) -> None:
        super().__init__(state, settings, able)
        self.combat = combat

    def choices(self) -> list[PendingAnswer]:
        """All choices that the fight waits for, the most urgent first."""
        entries = [*self._losses(), *self._held_rolls(), *self._exchange()]
        entries += self._initiative() if self.combat.phase == "initiative" else self._turn()
        entries.append(self._of_gm("end_combat", self.combat.combat_id, [c.EndCombat()], optional=True))
        return [choice for choice in entries if choice.answers]

    def exchange(self) -> PendingAnswer | None:
        """The choice that the attack waits for; None while something else comes first."""
        return next((choice for choice in self._exchange() if choice.answers), None)

    def _losses(self) -> Iterator[PendingAnswer]:
        for who in self.state.by_name(self.combat.participants):
            character = self.state.characters.get(who)
            if character is not None and character.pending_loss is not None:
                answers = self._given_up(character, character.pending_loss)
                yield self._of(who, "choose_stabilisation_loss", answers)

    def _given_up(self, character: Character, loss: PendingLoss) -> list[c.AnyCommand]:
        """Every loss that can be chosen, with staying and collapsing."""
        mech = self.state.mechs.get(loss.mech or "")
        configs = sorted(key for key, how in (mech.configs.items() if mech is not None else ()) if how != "lost")
        weapons = sorted(mech.weapons) if mech is not None and loss.weapon_allowed else []
        losses: list[tuple[str | None, str | None]] = [(config, None) for config in configs]
        losses += [(None, weapon) for weapon in weapons]
        return [
            c.ChooseStabilisationLoss(config, weapon, stay, character.character_id)
            for config, weapon in losses or [(None, None)]
            for stay in (True, False)
        ]

    def _held_rolls(self) -> Iterator[PendingAnswer]:
        for key, roll in sorted(self.state.rolls.items()):
            if roll.held and roll.character in self.combat.participants and not key.startswith(HIDDEN):
                yield self._of_gm("close_roll", roll.roll_id, [c.CloseRoll(roll.roll_id)], roll.character)
                bought = [c.SpendOverdriveSuccess(roll.roll_id, roll.character)]
                yield self._of(roll.character, "spend_overdrive_success", bought, roll.roll_id, optional=True)

    def _exchange(self) -> list[PendingAnswer]:
        """The defence while it can still be rolled, then the resolution."""
        attack = self.combat.attack
        if attack is None:
            return []
        protector = self.combat.protector_against(attack)
        own, others = (self._cover(who) for who in (attack.target, protector))
        defences = [c.RollDefense(character=attack.target, cover_dice=own, protector_cover_dice=others)]
        if own or others:
            defences.append(c.RollDefense(character=attack.target))
        defence = self._of(attack.target, "roll_defense", defences)
        if defence.answers:
            return [defence]
        return [self._of(attack.attacker, "resolve_attack", self._resolutions(attack, protector))]

    def _cover(self, who: str | None) -> int:
        fighter = self.state.participant(who or "")
        return fighter.cover_dice if fighter is not None and self.state.is_fit(who or "") else 0

    def _resolutions(self, attack: Attack, protector: str | None) -> Iterator[c.ResolveAttack]:
        """The resolutions by victim, with no push and with the farthest."""
        most = max(0, attack.successes - max(attack.defenses.values(), default=0))
        for victim in (attack.target, protector):
            if victim is not None:
                yield c.ResolveAttack(victim=victim)
                mapped = self.combat.participants[victim].position is not None if most else False
                for direction in DIRECTIONS if mapped else (None,) if most else ():
                    yield c.ResolveAttack(recoil=most, direction=direction, victim=victim)

    def _initiative(self) -> list[PendingAnswer]:
        people = self.state.by_name(self.combat.participants)
        rolls = [self._of(who, "roll_initiative", [c.RollInitiative(character=who)]) for who in people]
        spent = self._of_gm("spend_tactical_points", OBJECTIVE, [*self._prepared()], optional=True)
        if any(choice.answers for choice in rolls):
            return [*rolls, spent]
        is_held = any(self.state.rolls[who].held for who in people if who in self.state.rolls)
        answers: list[c.AnyCommand] = [] if is_held else [c.BeginTurns()]
        return [self._of_gm("begin_turns", self.combat.combat_id, answers), spent]

    def _prepared(self) -> Iterator[c.SpendTacticalPoints]:
        """Tactical points: one item moved by one line; a team may move it further."""
        mapped = {who: fighter.position for who, fighter in sorted(self.combat.participants.items())}
        for item, position in ((OBJECTIVE, self.state.objective_position), *mapped.items()):
            for direction in DIRECTIONS if position is not None else (None,):
                points = 2 if direction in ("clockwise", "counterclockwise") else 1
                yield c.SpendTacticalPoints(item=item, points=points, direction=direction)

    def _turn(self) -> list[PendingAnswer]:
        late = [who for who in self.state.by_name(self.combat.participants) if self.combat.participants[who].late]
        joining = [
            self._of(who, "roll_initiative", [c.RollInitiative(character=who)], optional=True) for who in late
        ]
        acting = self.state.acting
        if acting is None:
            return joining
        if not self.state.is_fit(acting):
            return [self._of_gm("end_turn", acting, [c.EndTurn(acting)], acting), *joining]
        return [self._of(acting, "end_turn", [*self._actions(acting)]), *joining]

    def _actions(self, me: str) -> Iterator[c.AnyCommand]:
        """A character's possibilities in their turn: one answer of every kind; other numbers may be possible."""
        fighter = self.combat.participants[me]
        others = self.state.by_name(who for who in self.combat.participants if who != me)
        for cinematic in (False, True) if fighter.cinematic_actions else (False,):
            yield from (c.RollMovement(mode=mode, character=me, cinematic=cinematic) for mode in MODES)
            yield from self._attacks(me, others, cinematic=cinematic)
        yield from _moves(me, fighter.position, self.combat.quadrants)
        yield from (c.Protect(whom=whom, character=me) for whom in others)
        character = self.state.characters[me]
        mech = self.state.mech_of(character)
        for config in sorted(mech.configs) if mech is not None else ():
            yield c.ActivateConfiguration(config=config, character=me)
        yield from (c.DelayTurn(after=whom, character=me) for whom in others)
        yield c.EndTurn(me)

    def _attacks(self, me: str, others: Iterable[str], *, cinematic: bool) -> Iterator[c.DeclareAttack]:
        """Every weapon at hand on every target; without a map at the weapon's ideal distance."""
        character = self.state.characters[me]
        mech = self.state.boarded(character)
        weapons = {key: weapon.ideal for key, weapon in (mech or character).weapons.items()}
        for weapon, ideal in (*sorted(weapons.items()), (BUTT, 0)):
            for target in others:
                places = (self.combat.participants[who].position for who in (me, target))
                distance = ideal if None in places or self.combat.rulings == 0 else None
                yield c.DeclareAttack(
                    weapon=weapon, distance=distance, target=target, cinematic=cinematic, character=me
                )

    def _of(
        self,
        character: str,
        kind: str,
        answers: Iterable[c.AnyCommand],
        subject: str | None = None,
        *,
        optional: bool = False,
    ) -> PendingAnswer:
        """A choice of a character's player."""
        player = self.player_of(character)
        return self.of(player, kind, subject or character, character, answers, optional=optional)

    def _of_gm(
        self,
        kind: str,
        subject: str,
        answers: Iterable[c.AnyCommand],
        character: str | None = None,
        *,
        optional: bool = False,
    ) -> PendingAnswer:
        """A choice of a GM."""
        return self.of(None, kind, subject, character, answers, optional=optional)


def _moves(me: str, here: Position | None, around: int) -> Iterator[c.Move]:
    """Over one line, or over one of each kind."""
    if here is None:
        yield from (
            c.Move(curves=curves, straight=straight, character=me) for curves, straight in ((1, 0), (0, 1))
        )
        return
    beside = [Position(here.ring + rings, here.quadrant) for rings in (1, -1) if here.ring + rings >= 0]
    beside += [Position(here.ring, (here.quadrant + quadrants) % around) for quadrants in (1, -1)]
    yield from (c.Move(to=there, character=me) for there in dict.fromkeys(beside))


def exchange(state: OverdriveState) -> PendingAnswer | None:
    """The choice that the current attack waits for."""
    return Fight(state, state.combat, Settings(), None).exchange() if state.combat is not None else None
