"""Overdrive played at random: whatever may be asked, in whatever order."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from domain import lifecycle_events
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.settings import Settings
from tests.domain.overdrive.table import Table
from tests.domain.random_play import examples, go_on

MOVES_IN_A_PLAY = 150


def a_wish(chance: Random, who: str, me: str, foe: str, given_dice: int, *, fight: bool) -> Any:
    """What a player asks for: mostly with the bonus dice that a GM gave, now and then with more or fewer."""
    bonus_dice = given_dice if chance.random() < 0.8 else chance.randint(0, 8)
    dice: Any = {"bonus_dice": bonus_dice, "hold": chance.random() < 0.1, "character": me}
    relation = f"ines_{who}"
    scene: Any = chance.choice(["social", "field_ops", "mech_repair", "care"])
    in_peace = [
        c.MakeRoll(use="stat:will", skill="social", difficulty=chance.randint(0, 4), **dice),
        c.MakeRoll(use="score:attack", skill="mech_combat", invoke_relation=relation, **dice),
        c.SpendOverdriveSuccess(character=me),
        c.ActivateConfiguration(config=chance.choice(["shield", "boost"]), character=me),
        c.PlayReaction(weight=chance.choice(["staged", "central"]), character=me),
        c.ResolveRelation(relation=relation, stat="will", **dice),
        c.RepairRelation(relation=relation, character=me),
        c.OpenScene(scene=scene),
        c.CloseScene(scene=scene, stat="will", **dice),
        c.SpendRecovery(damage=1, character=me),
        c.SpendRecovery(configs=[chance.choice(["shield", "boost"])], character=me),
        c.AskQuestion(text="Who?", character=me),
        c.StartDuel(
            sides=(
                c.DuelistDraft(character=me, use="stat:will", skill="social"),
                c.DuelistDraft(name="The sea", pool=5, od=3),
            )
        ),
        c.StartDuel(
            sides=(
                c.DuelistDraft(character=me, use="stat:will", skill="social"),
                c.DuelistDraft(character=foe, use="stat:agility", skill="field_ops"),
            )
        ),
        c.RollDuel(invoke_relation=chance.choice([None, None, relation]), character=me),
        c.RollDuel(use="score:defense", skill="engineering", character=me),
        c.DeclineReaction(character=me),
        c.DuelRaise(amount=chance.randint(1, 3)),
        c.DuelFold(),
        c.Advance(stat="will", character=me),
        c.TakeObjective(text="Find her", character=me),
        c.LeaveMech(character=me),
        c.BoardMech(character=me),
    ]
    in_a_fight = [
        c.RollInitiative(**dice),
        c.RollInitiative(**dice),
        c.ActivateConfiguration(config="shield", character=me),
        c.SpendOverdriveSuccess(character=me),
        c.SpendTacticalPoints(item="objective", points=1),
        c.RollMovement(mode=chance.choice(["maneuver", "cover", "advantage"]), **dice),
        c.Move(curves=chance.randint(0, 2), straight=chance.randint(0, 1), character=me),
        c.Protect(whom=foe, character=me),
        *(
            c.DeclareAttack(
                weapon=chance.choice(["rifle", "blade", "blade", "butt"]),
                distance=chance.choice([0, 0, 3]),
                target=foe,
                cinematic=chance.random() < 0.2,
                **dice,
            )
            for _ in range(4)
        ),
        c.RollDefense(hold=dice["hold"]),
        c.ResolveAttack(recoil=chance.randint(0, 1), direction="outward"),
        c.ResolveAttack(),
        c.ChooseStabilisationLoss(config="shield", stay=chance.random() < 0.7, character=me),
        c.ChooseStabilisationLoss(config="boost", character=me),
        c.ChooseStabilisationLoss(weapon="rifle", character=me),
        c.ChooseStabilisationLoss(character=me),
        c.EndTurn(character=me),
        c.DelayTurn(after=foe, character=me),
    ]
    return chance.choice(in_a_fight if fight else in_peace)


def a_gms_wish(chance: Random, people: list[str], *, fight: bool) -> Any:
    me = chance.choice(people)
    gift = c.GiveBonusDice(dice=chance.randint(1, 8), character=me)
    if fight and chance.random() < 0.9:
        return chance.choice(
            [c.BeginTurns(), c.EndTurn(), c.RollDefense(), c.ResolveAttack(), c.CloseRoll(), gift, gift]
        )
    return chance.choice(
        [
            gift,
            gift,
            c.AllowInvocation(character=me),
            c.CloseRoll(),
            c.PlayReaction(weight="team_tension", character=me),
            c.RecordRevelation(),
            c.AnswerQuestion(text="Nobody."),
            c.StartCombat(surprised=[me] if chance.random() < 0.2 else []),
            c.StartCombat(participants=people),
            c.EndCombat(),
            c.RechargeMech(),
            c.Restore(status="fit", mode="normal", failures=0, character=me),
            c.EndChapter(),
            c.AchieveObjective(character=me),
            c.RecordRecap(awards={me: 2}),
            c.DuelFold(),
        ]
    )


SETTINGS = st.builds(
    Settings,
    tier_reading=st.sampled_from(["strict", "inclusive"]),
    stabilisation_tie=st.sampled_from(["fails", "holds"]),
    phase_counters=st.integers(1, 3),
    reset_on_failure=st.booleans(),
    bonus_dice=st.sampled_from(["given", "free"]),
    duel_raise=st.sampled_from(["overtake", "free"]),
    revelation_award=st.sampled_from(["each", "one"]),
    progression=st.sampled_from(["off", "exo_progression"]),
)


def play(house_rules: Settings, chance: Random, moves: int = MOVES_IN_A_PLAY) -> Table:
    """Play random moves at a table of two; a refused one changes nothing."""
    table = Table(house_rules)
    people = {who: table.character(who, od=chance.randint(0, 5)) for who in ("mara", "jun")}
    go_on(moves, lambda: a_move(chance, table, people))
    return table


def a_move(chance: Random, table: Table, people: dict[str, str]) -> None:
    who, other = chance.sample(sorted(people), 2)
    faces = [*(chance.choice([1, 2, 3, 4, 5, 6]) for _ in range(12)), 6]
    fight = table.state.combat is not None and chance.random() < 0.9
    match chance.randint(0, 11):
        case 0:
            table.follow(chance.choice([lifecycle_events.SceneStarted("s"), lifecycle_events.SceneEnded("s")]))
            table.follow(lifecycle_events.SessionEnded("s", 1))
        case 1:
            for owed in OVERDRIVE.due_commands(table.state):
                table.do("worker", owed.command)
        case 2 | 3 | 4:
            table.do("gm", a_gms_wish(chance, sorted(people.values()), fight=fight), faces)
        case _:
            given_dice = table.state.characters[people[who]].bonus_dice_given or 0
            table.do(who, a_wish(chance, who, people[who], people[other], given_dice, fight=fight), faces)


EXAMPLES = examples(12)
