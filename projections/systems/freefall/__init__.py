"""The views of FREE/FALL."""

from domain.sentences import say
from domain.systems.freefall.commands import CompleteRepair, CompleteTreatment
from projections.system_views import Board, RecordKeeper, SystemViews
from projections.systems.freefall import awaited_answers, boards, layout, narration, recap, record
from projections.systems.freefall.sheet import CharacterSheetView, sheet
from projections.systems.freefall.vocabulary import VOCABULARY

FREEFALL_VIEWS = SystemViews(
    tellers=narration.TELL,
    emphasis=recap.EMPHASIS,
    sheet=sheet,
    boards=(Board("turn", say("The turn"), boards.turn),),
    waits_for=(awaited_answers.waits_for,),
    record=RecordKeeper(record.CharacterRecordFold, record.EVENTS),
    vocabulary=VOCABULARY,
    layouts={CharacterSheetView: layout.SHEET},
    describe_scheduled={
        CompleteTreatment: lambda _, __: say("A treatment is finished"),
        CompleteRepair: lambda command, name: say("{item} is repaired", item=name(command.item)),
    },
)
