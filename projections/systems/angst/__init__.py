"""The views of Angst."""

from domain.sentences import say
from domain.systems.angst.commands import RecoverCore
from domain.systems.angst.terms import CORE_WORDS
from projections.system_views import Board, RecordKeeper, SystemViews
from projections.systems.angst import awaited_answers, boards, layout, narration, recap, record
from projections.systems.angst.sheet import CharacterSheetView, sheet
from projections.systems.angst.vocabulary import VOCABULARY

ANGST_VIEWS = SystemViews(
    tellers=narration.TELL,
    emphasis=recap.EMPHASIS,
    sheet=sheet,
    boards=(
        Board("scene", say("The scene"), boards.scene),
        Board("relationships", say("Relationships"), boards.relationships),
    ),
    waits_for=(awaited_answers.waits_for,),
    record=RecordKeeper(record.CharacterRecordFold, record.EVENTS),
    vocabulary=VOCABULARY,
    layouts={CharacterSheetView: layout.SHEET},
    describe_scheduled={
        RecoverCore: lambda command, name: say(
            "{who} recovers a step of {core}", who=name(command.character), core=CORE_WORDS[command.core]
        ),
    },
)
