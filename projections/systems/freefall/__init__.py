"""How FREE/FALL is shown."""

from domain.sentences import say
from domain.systems.freefall.commands import CompleteRepair, CompleteTreatment
from projections.system_views import Board, RecordKeeper, SystemViews
from projections.systems.freefall import awaited_answers, boards, narration, recap, record
from projections.systems.freefall.sheet import sheet

FREEFALL_VIEWS = SystemViews(
    tellers=narration.TELL,
    emphasis=recap.EMPHASIS,
    sheet=sheet,
    boards=(Board("turn", say("The turn"), boards.turn),),
    waits_for=(awaited_answers.waits_for,),
    record=RecordKeeper(record.CharacterRecordFold, record.EVENTS),
    describe_scheduled={
        CompleteTreatment: lambda _, __: say("A treatment is finished"),
        CompleteRepair: lambda command, name: say("{item} is repaired", item=name(command.item)),
    },
)
