"""The views of FREE/FALL."""

from domain.sentences import say
from domain.systems.freefall.commands import CompleteRepair, CompleteTreatment
from projections.system_views import Board, SystemViews
from projections.systems.freefall import (
    awaited_answers,
    boards,
    layout,
    narration,
    recap_weights,
    service_record,
    setting_values,
    turn_drawing,
)
from projections.systems.freefall.sheet import CharacterSheetView, sheet
from projections.systems.freefall.system_origin import SOURCE
from projections.systems.freefall.vocabulary import VOCABULARY

FREEFALL_VIEWS = SystemViews(
    line=say("Operators on the edge: five twenty-sided dice, attributes bound for effect, and harm that lasts."),
    source=SOURCE,
    tellers=narration.TELL,
    brings=narration.brings,
    emphasis=recap_weights.EMPHASIS,
    sheet=sheet,
    boards=(Board("turn", say("The turn"), boards.turn, turn_drawing.draw),),
    waits_for=(awaited_answers.waits_for,),
    record=service_record.CharacterRecordFold,
    vocabulary=VOCABULARY,
    setting_values=setting_values.VALUES,
    layouts={CharacterSheetView: layout.SHEET},
    describe_scheduled={
        CompleteTreatment: lambda _, __: say("A treatment is finished"),
        CompleteRepair: lambda command, name: say("{item} is repaired", item=name(command.item)),
    },
    downtime=("start_treatment", "start_repair", "install", "restore_attribute"),
    tests=("roll_action",),
    contests=("resolve_conflict",),
)
