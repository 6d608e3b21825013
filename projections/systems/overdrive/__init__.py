"""How Overdrive is shown."""

from domain.sentences import say
from domain.systems.overdrive.commands import PostObjectiveAward
from projections.system_views import Board, RecordKeeper, SystemViews
from projections.systems.overdrive import awaited_answers, boards, narration, recap, record, story_board
from projections.systems.overdrive.sheet import sheet

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
    describe_scheduled={
        PostObjectiveAward: lambda _, __: say("An objective that has waited long enough is rewarded"),
    },
)
