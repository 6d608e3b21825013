"""Sentences on a Mobile Frame board: the step that the table waits for, and which frame waits for which."""

from collections.abc import Iterator

from domain.ids import AccountId
from domain.sentences import Part, Sentence, either, in_a_row, join_parts, say, say_many
from domain.systems.mobile_frame.attacks import RANGED, forced_situation, standing_covers, standing_frames
from domain.systems.mobile_frame.battles import PLAYERS_MIN, next_to_go, yet_to_go
from domain.systems.mobile_frame.creation import players_of
from domain.systems.mobile_frame.damage_allocation import at_station, highest_left
from domain.systems.mobile_frame.pending_choices import PendingChoice, also_awaited
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import Activation, Attack, Choice, Frame, MobileFrameState, account_of
from domain.systems.mobile_frame.tables import Situation, Weapon
from domain.systems.mobile_frame.term_words import ACTIONS, RANGES, SITUATIONS, SYSTEMS, WEAPONS
from projections.awaited_answers import Able
from projections.narration_tables import Name
from projections.systems.mobile_frame.narration_phrases import names, who


def stack_in_words(state: MobileFrameState) -> list[Sentence]:
    """One sentence for every frame that waits for another; none while no frame waits."""
    sentences = []
    for turn in state.battle.stack if state.battle is not None else []:
        holding = state.activation(turn.waits_for) if turn.waits_for is not None else None
        if holding is None or _destroyed(state, turn.frame):
            continue  # a frame that was destroyed meanwhile does not go on
        waiting, acting = name_of(state, turn.frame), name_of(state, holding.frame)
        if holding.attacker == turn.frame:
            answers = say(
                "{acting} answers {waiting}'s attack, then {waiting} goes on", acting=acting, waiting=waiting
            )
            sentences.append(answers)
        else:
            sentences.append(
                say("{acting} finishes its turn, then {waiting} goes on", acting=acting, waiting=waiting)
            )
    return sentences


def _destroyed(state: MobileFrameState, frame: str) -> bool:
    known_frame = state.frames.get(frame)
    return known_frame is not None and known_frame.status == "destroyed"


def name_of(state: MobileFrameState, thing: str) -> str:
    """The name of a frame, a cover or a station."""
    return state.name_of(thing) or thing


def _attack_on(target: str, weapon: Weapon | None) -> Sentence:
    """An attack that is still to be made."""
    if weapon is None:
        return say("its attack on {target}", target=target)
    return say("its attack on {target} with {weapon}", target=target, weapon=WEAPONS[weapon])


class Telling:
    """The sentences about what a battle waits for; `able` are the members who may act (None: everyone)."""

    def __init__(self, state: MobileFrameState, name: Name, settings: Settings, able: Able) -> None:
        self.name = name
        self._state = state
        self._settings = settings
        self._able = able

    def account(self, player: str | None) -> AccountId | None:
        """The account whose choice it is; None: a GM's, for a GM's company or a player who has left."""
        account = account_of(player) if player is not None else None
        return account if account is None or self._able is None or account in self._able else None

    def absent_owners(self) -> set[str]:
        """The owners of frames who no longer play."""
        return {frame.owner for frame in self._state.frames.values() if self._has_left(frame.owner)}

    def _has_left(self, player: str) -> bool:
        return account_of(player) is not None and self.account(player) is None

    def _who(self, player: str) -> Part:
        """A player at the beginning of a sentence; a GM acts for one who has left."""
        player_name = who(player, self.name)
        return (
            say("{who} (no longer playing: a GM acts)", who=player_name) if self._has_left(player) else player_name
        )

    def absent(self) -> Iterator[Sentence]:
        """For GMs: the players who have left, what the GMs play for them, and how to hand it over."""
        frames: dict[str, list[str]] = {}
        for frame in self._state.in_play():
            if self._has_left(frame.owner) and (frame.status == "active" or self._state.battle is None):
                frames.setdefault(frame.owner, []).append(frame.name)
        for player, own in sorted(frames.items()):
            player_name, listed = who(player, self.name), join_parts(sorted(own))
            if self._state.battle is None:
                yield say(
                    "{who} no longer plays in this campaign. A GM gives a frame another owner by “Field a frame”, "
                    "or takes it off by “Withdraw a frame”: {frames}",
                    who=player_name,
                    frames=listed,
                )
            else:
                yield say(
                    "{who} no longer plays in this campaign. A GM plays their frames and, once the battle is "
                    "over, gives them another owner by “Field a frame”: {frames}",
                    who=player_name,
                    frames=listed,
                )

    def subject(self, waiting: PendingChoice) -> str | Sentence:
        """The subject, by its name."""
        about_battle = self._state.battle is not None and waiting.subject == self._state.battle.battle_id
        return say("the battle") if about_battle else name_of(self._state, waiting.subject)

    def points_left(self) -> int | None:
        """The points of damage that are still to be taken, where a loss is waited for."""
        choice = self._state.choice()
        if choice is None or choice.kind != "loss":
            return None
        damage = choice.unresolved
        return damage.fives if damage.points is None else damage.points

    def in_words(self) -> Sentence:
        """The step that the table waits for."""
        battle, choice, acting = self._state.battle, self._state.choice(), self._state.acting()
        if battle is None:
            return self._before()
        if choice is not None:
            return self._choice(choice)
        if acting is not None and acting.frame in self._state.frames:
            return self._turn(acting, self._state.frames[acting.frame])
        first = next_to_go(self._state, battle)
        if not first:
            return say("Every frame has had its turn: a GM ends the round; each player may take 1 more tick off")
        if len(first) == 1:
            return self._activation(first[0])
        return say("{players} may activate a frame or pass", players=join_parts(names(first, self.name)))

    def sentence_of(self, waiting: PendingChoice) -> Sentence:
        """The step that one of the pending choices waits for."""
        acting = self._state.acting()
        if waiting.kind == "activate_frame" and waiting.player is not None:
            return self._activation(waiting.player)
        if waiting.kind == "name_situation" and acting is not None and acting.attack is not None:
            return self._to_name(acting, acting.attack, waiting.player or "")
        return self.in_words()

    def _before(self) -> Sentence:
        """The sentence for the time before the next battle."""
        players = players_of(self._state)
        if len(players) >= PLAYERS_MIN and sorted(self._state.ppa) == players:
            return say("No battle is being fought; a GM may start one")
        return say("No battle is being fought")

    def _activation(self, player: str) -> Sentence:
        """An activation. The last player with a frame to activate may not pass (MF-C15)."""
        battle = self._state.battle
        if battle is not None and yet_to_go(self._state, battle) == [player]:
            return say("{who} activates a frame", who=self._who(player))
        return say("{who} activates a frame or passes", who=self._who(player))

    def _turn(self, turn: Activation, frame: Frame) -> Sentence:
        """The next step of the active frame."""
        player = self._who(frame.owner)
        if frame.status != "active":
            return say("{frame} is destroyed: a GM ends its turn", frame=frame.name)
        if turn.attack is not None:
            return self._to_resolve(turn, turn.attack, player)
        if not turn.rolled:
            return self._to_roll(turn, frame, player)
        if "defense" not in turn.assigned:
            return say("{who} gives the defence of {frame} a die, or none", who=player, frame=frame.name)
        return self._open(turn, frame, player)

    def _to_roll(self, turn: Activation, frame: Frame, player: Part) -> Sentence:
        """The steps before the dice are rolled."""
        if turn.target is not None:
            parts: dict[str, Part] = {
                "who": player,
                "frame": frame.name,
                "target": name_of(self._state, turn.target.target),
                "range": RANGES[turn.target.range],
            }
            if turn.target.weapon is None:
                return say("{who} rolls the dice of {frame}, which aims at {target} {range}", **parts)
            return say(
                "{who} rolls the dice of {frame}, which aims at {target} {range}, with {weapon}",
                **parts,
                weapon=WEAPONS[turn.target.weapon],
            )
        if turn.may_declare:
            return say("{who} may declare a target for {frame}, then rolls its dice", who=player, frame=frame.name)
        return say("{who} rolls the dice of {frame}", who=player, frame=frame.name)

    def _open(self, turn: Activation, frame: Frame, player: Part) -> Sentence:
        """The rest of a turn once its defence is set."""
        attacks = turn.target is not None and not turn.attacked
        open_actions: list[Part] = []
        if not (turn.moved or turn.spotted):
            open_actions.append(ACTIONS["movement"])
        if turn.target is not None and attacks and not turn.spotted:
            open_actions.append(_attack_on(name_of(self._state, turn.target.target), turn.target.weapon))
        if not turn.spotted:
            open_actions.append(ACTIONS["spot"])
        if not open_actions:
            return say("{who} ends the turn of {frame}", who=player, frame=frame.name)
        actions = in_a_row(open_actions)
        if attacks and turn.assigned.get("attack") is not None:
            return say(
                "{who} goes on with {frame}. Still open: {actions}", who=player, frame=frame.name, actions=actions
            )
        return say(
            "{who} goes on with {frame}, or ends its turn. Still open: {actions}",
            who=player,
            frame=frame.name,
            actions=actions,
        )

    def _to_resolve(self, turn: Activation, attack: Attack, player: Part) -> Sentence:
        """An announced attack, and what has to be said of it."""
        frame, target = name_of(self._state, turn.frame), name_of(self._state, attack.target)
        if forced_situation(attack) is not None:
            return say("{who} resolves the attack of {frame} on {target}", who=player, frame=frame, target=target)
        if any(choice.kind == "name_situation" for choice in also_awaited(self._state, self._settings)):
            owner = self._state.frames[attack.target].owner
            return self._to_name(turn, attack, owner)
        return say(
            "{who} resolves the attack of {frame} on {target}, and says where it is: {situations}",
            who=player,
            frame=frame,
            target=target,
            situations=either(SITUATIONS[situation] for situation in self._sayable(turn, attack)),
        )

    def _sayable(self, turn: Activation, attack: Attack) -> list[Situation]:
        """The situations that may be named: all on the field, or the one that both sides have named."""
        target = self._state.frames.get(attack.target)
        named_situation = attack.named.get(target.owner) if target is not None else None
        if self._settings.situation_named_by == "agreed" and named_situation is not None:
            return [named_situation]
        possible: dict[Situation, bool] = {
            "open": True,
            "in_cover": bool(standing_covers(self._state)),
            "covered_by_frame": bool(standing_frames(self._state, {turn.frame, attack.target})),
        }
        return [situation for situation in RANGED if possible[situation]]

    def _to_name(self, turn: Activation, attack: Attack, owner: str) -> Sentence:
        """Both sides have to name the same situation; the sentence says what the other side has named."""
        frame, target = self._state.frames[turn.frame], name_of(self._state, attack.target)
        attacker_situation = attack.named.get(frame.owner)
        if attacker_situation is None:
            return say(
                "{who} says where {target} is, under the attack of {frame}: {situations}",
                who=self._who(owner),
                target=target,
                frame=frame.name,
                situations=either(SITUATIONS[situation] for situation in self._sayable(turn, attack)),
            )
        answered = attack.named.get(owner)
        if answered is not None:
            return say(
                "{who} says that {target} is {other}, {attacker} says {situation}: one of them gives in, or a GM "
                "decides",
                who=self._who(owner),
                target=target,
                other=SITUATIONS[answered],
                attacker=who(frame.owner, self.name),
                situation=SITUATIONS[attacker_situation],
            )
        return say(
            "{who} says whether {target} is, under the attack of {frame}, where {attacker} says: {situation}",
            who=self._who(owner),
            target=target,
            frame=frame.name,
            attacker=who(frame.owner, self.name),
            situation=SITUATIONS[attacker_situation],
        )

    def _choice(self, choice: Choice) -> Sentence:
        """The player who chooses a loss, and the options."""
        player, subject = self._who(choice.player), name_of(self._state, choice.subject)
        if choice.kind == "bricks":
            hit = self._state.covers[choice.subject]
            return say_many(
                "{who} says how high {cover} still stands: {n} brick at most",
                "{who} says how high {cover} still stands: {n} bricks at most",
                highest_left(hit.bricks, hit.height)[1],
                who=player,
                cover=subject,
            )
        frame = self._state.frames[choice.subject]
        losses: list[Part] = [SYSTEMS[system] for system in sorted(set(frame.systems))] or [say("a white die")]
        losses += [
            say("its place at {station}", station=name_of(self._state, station)) for station in at_station(frame)
        ]
        damage = choice.unresolved
        return say_many(
            "{who} chooses what {frame} gives up, with {n} point of damage left: {losses}",
            "{who} chooses what {frame} gives up, with {n} points of damage left: {losses}",
            damage.fives if damage.points is None else damage.points,
            who=player,
            frame=subject,
            losses=either(losses),
        )
