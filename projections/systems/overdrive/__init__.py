"""The views of Overdrive."""

from domain.sentences import say
from domain.systems.overdrive.commands import PostObjectiveAward
from projections.system_views import Board, RecordKeeper, SystemViews
from projections.systems.overdrive import awaited_answers, boards, layout, narration, recap, record, story_board
from projections.systems.overdrive.sheet import CharacterSheetView, sheet
from projections.systems.overdrive.vocabulary import VOCABULARY

OVERDRIVE_VIEWS = SystemViews(
    tellers=narration.TELL,
    emphasis=recap.EMPHASIS,
    sheet=sheet,
    boards=(
        Board("fight", say("The fight"), boards.fight),
        Board("story", say("The story"), story_board.story),
    ),
    waits_for=(awaited_answers.fight_waits_for, awaited_answers.story_waits_for),
    record=RecordKeeper(record.CharacterRecordFold, record.EVENTS),
    vocabulary=VOCABULARY,
    layouts={CharacterSheetView: layout.SHEET},
    describe_scheduled={
        PostObjectiveAward: lambda _, __: say("An objective that has waited long enough is rewarded"),
    },
)
