"""Mobile Frame in words that players read."""

from domain.systems.mobile_frame import commands as c
from projections.narration import tell
from tests.domain.mobile_frame.table import duel


def test_an_attack_is_told_from_the_sights_to_the_wreck():
    field = duel(adder="WWBGYRdRd", bear="WB")
    field.activates("Adder")
    start = len(field.events) - 1
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [3, 4, 5, 2, 1, 6, 2])
    field.do("ann", c.AssignDie(action="defense", die=2))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    field.do("ben", c.RollDicepool(), [2, 4])
    field.do("ben", c.AssignDie(action="defense", die=1))
    field.do("ann", c.ResolveAttack(situation="open"), [6, 5])
    field.do("ann", c.EndTurn())
    lines = [str(tell(event, field.called)) for event in field.events[start:]]
    assert lines == [
        "Adder began its turn",
        "Adder took aim at Bear at direct range, with a direct fire weapon",
        "Adder rolled white 3 and 4, blue 5, green 2, yellow 1, red 6 (d) and 2 (d)",
        "Adder assigned 5 to its defence",
        "Adder has defence 5 for this round",
        "Adder assigned 6 to its attack",
        "Adder attacked Bear at direct range with 6",
        "Adder waits until Bear has set its defence",
        "Bear answers the attack of Adder",
        "Bear rolled white 2, blue 4",
        "Bear assigned 4 to its defence",
        "Bear has defence 4 for this round",
        "Adder goes on with its turn",
        "Adder rolled damage on Bear, which is in the open: attack 6 - defence 4, 2 dice: 6 and 5",
        "Bear took 2 points of damage",
        "Bear lost a defence system",
        "Bear lost 1 white die and has 0 left",
        "Bear, a frame of Ben, was destroyed",
        "Ben went from 6 to 0 points: a frame was destroyed",
        "Adder discarded 5 dice",
        "The turn of Adder is over",
        "The turn of Bear is over",
        "Tactical order: Ann (4), Ben (0)",
    ]
