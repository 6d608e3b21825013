"""FREE/FALL played at random: whatever may be asked, in whatever order."""

from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

from domain import lifecycle_events
from domain.systems.freefall import commands as c
from domain.systems.freefall.attributes import max_current, pool
from domain.systems.freefall.harm import options
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Attack, Binding
from projections.systems.freefall.sheet import sheet
from tests.domain.freefall.table import ARMOUR, DECK, GUN, LIMB, PEOPLE, Table
from tests.domain.random_play import examples, go_on

ATTRIBUTES: tuple[Any, ...] = ("body", "mind", "ghost")
TYPES: tuple[Any, ...] = ("physical", "psychic", "compromise")
MOVES_IN_A_PLAY = 80


def a_choice(chance: Random, table: Table, character: str, harm_type: Any) -> c.Choice:
    found = options(table.state.characters[character], harm_type, table.settings)
    if not found or chance.random() < 0.1:
        return c.Choice(option="B", slot=chance.randint(0, 4))
    one = chance.choice(found)
    return msgspec.convert({"option": one.option, "slot": one.slot, "item": one.item}, c.Choice)


def a_price(chance: Random, table: Table, character: str) -> c.Prerequisite:
    harm_type = chance.choice(TYPES)
    choice = a_choice(chance, table, character, harm_type) if chance.random() < 0.5 else None
    return chance.choice(
        [
            c.Prerequisite(kind="specialty", name="infiltration"),
            c.Prerequisite(kind="gear", item=table.item(character, "Deck")),
            c.Prerequisite(kind="spend", attribute=chance.choice([*ATTRIBUTES, "frm", "sys"])),
            c.Prerequisite(kind="harm", harm_type=harm_type, choice=choice),
        ]
    )


def a_draft(chance: Random, table: Table, character: str) -> c.ActionDraft:
    """An action with everything that may be said of it, or without."""
    declared = [each.id for each in table.state.board.actions] if table.state.board is not None else []
    return c.ActionDraft(
        dice=chance.randint(1, 2),
        attribute=chance.choice([None, *ATTRIBUTES]),
        tag=chance.choice([None, "hack", "climb"]),
        tn=chance.choice([None, 11]),
        conflict=chance.random() < 0.3,
        opposed_to=chance.choice([None, *declared]),
        attack=chance.choice([None, Attack(dv=2), Attack(item=table.item(character, "Gun"))]),
    )


def a_players_wish(chance: Random, table: Table, character: str) -> Any:
    harm_type = chance.choice(TYPES)
    board = table.state.board
    declared = [each.id for each in board.actions] if board is not None else []
    called = [each for each in table.state.called if each.character == character]
    item = chance.choice(sorted(table.state.characters[character].items) or ["none"])
    choice = a_choice(chance, table, character, called[0].harm_type if called else harm_type)
    attack = chance.choice([None, Attack(dv=2)])
    count = chance.randint(1, 3)
    harm = table.state.characters[character].slots[0]
    return chance.choice(
        [
            c.Equip(item=item),
            c.Unequip(item=item),
            c.RollAction(dice=count, tn=11, prerequisite=a_price(chance, table, character), attack=attack),
            c.RollAction(tn=11, conflict=chance.random() < 0.5),
            *(c.RollAction(action=each, tn=11, bonuses=[2]) for each in declared),
            *(
                c.RollAction(action=each, tn=16, prerequisite=a_price(chance, table, character))
                for each in declared
            ),
            *(c.AbandonAction(action=each) for each in declared),
            c.DeclareActions(actions=[c.ActionDraft(dice=count), c.ActionDraft(dice=1, kind="simple")]),
            c.DeclareActions(actions=[c.ActionDraft(dice=1)], group="pack"),
            *[c.DeclareActions(actions=[a_draft(chance, table, character) for _ in range(count)])] * 3,
            *([c.ReceiveHarm(choices=[choice] * called[0].levels)] * 8 if called else []),
            *([c.ReceiveHarm(spend=called[0].levels)] if called else []),
            *([c.AllocateMachineHarm(choices=[c.Allocation("machine")] * called[0].levels)] * 4 if called else []),
            *([c.AllocateMachineHarm(choices=[c.Allocation("pilot", choice)])] if called else []),
            c.ForceSuccess(harm_type=harm_type, choice=choice),
            c.BoardMachine(character=character),
            c.LeaveMachine(character=character),
            c.DecideFate(fate="retired"),
            *(
                [c.DecideTie(first=each) for each in table.state.conflicts[-1].tied]
                if table.state.conflicts
                else []
            ),
            c.DescribePermanentHarm(slot=1, consequence="A tremor.")
            if harm is not None and harm.state == "permanent"
            else c.DescribeGear(item=item, description="Hums at night."),
        ]
    )


def a_gms_wish(chance: Random, table: Table, character: str) -> Any:
    harm_type = chance.choice(TYPES)
    board = table.state.board
    declared = [each.id for each in board.actions] if board is not None else []
    item = chance.choice(sorted(table.state.characters[character].items) or ["none"])
    machine = chance.choice(sorted(table.state.machines) or ["none"])
    due = table.game_time + chance.randint(0, 40)
    attribute = chance.choice(ATTRIBUTES)
    levels = chance.randint(1, 3)
    return chance.choice(
        [
            c.SetTimeMode(mode=chance.choice(["narrative", "montage", "action"])),
            *[c.SetTimeMode(mode="bullet")] * 2,
            *[c.StartTurn(npcs=[c.Npc("guard", filled=1)])] * 2,
            c.DeclareActions(actions=[c.ActionDraft(dice=1, id="bark")], character="guard"),
            *[c.OrderResolution()] * 3,
            c.EndTurn(),
            *[c.ReceiveHarm(harm_type=harm_type, levels=levels, character=character)] * 2,
            c.AllocateMachineHarm(harm_type=harm_type, levels=levels),
            c.WithdrawHarm(),
            c.ResolveConflict(participants=[c.Participant(each) for each in declared[:2]]),
            c.ResolveConflict(participants=[c.Participant("a", 2, npc=True), c.Participant("b", 1, 3)]),
            *(c.NegateAction(action=each) for each in declared),
            c.IntroduceComplication(text="Lights out."),
            c.ClearTemporaryHarm(slot=chance.randint(0, 4), by="rest", character=character),
            c.StartTreatment(
                slot=chance.randint(1, 3),
                method="clinic",
                due=due,
                price=50,
                character=character,
                required_actions=chance.choice([[], ["a favour"]]),
            ),
            c.StartRepair(item=item, fixer="Jo", due=due, price=20, surgery=chance.random() < 0.3),
            c.CompleteTreatment(),
            c.CompleteRepair(),
            c.CancelTreatment(),
            c.CancelRepair(),
            c.RecordRequirement(action="a favour"),
            c.RecordRequirement(action="surgery", repair=chance.choice(sorted(table.state.repairs) or ["none"])),
            c.RestoreAttribute(attribute=attribute, amount=levels, character=character),
            c.RestoreAttribute(attribute=chance.choice(["frm", "sys"]), amount=levels),
            c.StartRepair(item=machine, fixer="Jo", due=due, price=20, parts=chance.choice([[], ["a track"]])),
            c.RecordRequirement(action="a track", repair=machine),
            c.NameTn(character=character, tn=chance.choice([11, 16, None])),
            *(c.NameTn(action=each, tn=16) for each in declared),
            c.SetPermanent(attribute=attribute, permanent=chance.randint(0, 14), character=character),
            c.Regroup(),
            c.DismissRecovery(),
            c.OpenClock(name="Alarm", size=4),
            c.CloseClock(),
            c.AwardCredits(amount=100, reason="pay"),
            c.ChargeCredits(amount=30, reason="rent"),
        ]
    )


def a_moment(chance: Random, table: Table) -> None:
    table.follow(
        chance.choice(
            [
                lifecycle_events.SceneEnded(scene_id="s"),
                lifecycle_events.DowntimeStarted(downtime_id="d"),
                lifecycle_events.DowntimeEnded(downtime_id="d"),
            ]
        )
    )
    table.pass_time(chance.randint(1, 30))


SETTINGS = st.builds(
    Settings,
    av_stacking=st.sampled_from(["highest", "sum"]),
    auto_clear_temporary=st.sampled_from(["ask", "regroup", "downtime"]),
    downtime_restore=st.sampled_from(["full", "gm"]),
    permanent_type=st.sampled_from(["any", "same"]),
    credits=st.sampled_from(["tracked", "off"]),
    crew_debt=st.sampled_from(["allowed", "refused"]),
    harm_chooser=st.sampled_from(["owner", "anyone"]),
    tn_named_by=st.sampled_from(["declared", "gm", "roller"]),
    broken_machines=st.sampled_from(["repair", "restore", "never"]),
)


def check(table: Table) -> None:
    """What must hold after every action (the issue names these)."""
    state = table.state
    for id_, character in state.characters.items():
        for attribute, points in character.attributes.items():
            assert 0 <= points.current <= max_current(state, character, attribute) <= points.permanent
        filled = sum(slot is not None for slot in character.slots)
        assert pool(character) == max(2, 5 - filled)
        for attribute, view in sheet(state, id_, table.settings).attributes.items():
            assert view.bound == sum(each.amount for each in view.bound_by)
            assert view.maximum == max(0, character.attributes[attribute].permanent - view.bound)
        if character.status == "active":
            for harm_type in TYPES:
                assert options(character, harm_type, table.settings), "a level of harm is always resolvable"
        permanents = sum(slot is not None and slot.state == "permanent" for slot in character.slots)
        assert (permanents == 3) == (character.status == "ousted")


def play(house_rules: Settings, chance: Random) -> Table:
    """Play random moves at a table of two; a refused one changes nothing."""
    table = Table(house_rules)
    people = {who: table.runner(who, gear=(ARMOUR, DECK, LIMB, GUN)) for who in PEOPLE}
    table.do("gm", c.CreateMachine(name="Mule", frm=3, sys=2, av=1, pilot_binding=Binding(mind=2)))
    go_on(MOVES_IN_A_PLAY, lambda: a_move(chance, table, people), lambda: check(table))
    return table


def a_move(chance: Random, table: Table, people: dict[str, str]) -> None:
    who = chance.choice(PEOPLE)
    faces = [chance.randint(1, 20) for _ in range(4)]
    match chance.randint(0, 9):
        case 0:
            a_moment(chance, table)
        case 1 | 2 | 3 | 4:
            table.do("gm", a_gms_wish(chance, table, people[who]), faces)
        case _:
            table.do(who, a_players_wish(chance, table, people[who]), faces)


EXAMPLES = examples(15)
