"""How Frame State is shown."""

from domain.sentences import say
from domain.systems.frame_state.commands import PostPayout
from projections.system_views import Board, RecordKeeper, SystemViews
from projections.systems.frame_state import awaited_answers, boards, narration, recap, record
from projections.systems.frame_state.sheet import sheet

FRAME_STATE_VIEWS = SystemViews(
    tellers=narration.TELL,
    emphasis=recap.EMPHASIS,
    sheet=lambda state, character, _: sheet(state, character),
    boards=(Board("mission", say("Missions and tests"), boards.mission),),
    waits_for=(awaited_answers.waits_for,),
    record=RecordKeeper(record.PilotRecordFold, record.EVENTS),
    describe_scheduled={
        PostPayout: lambda command, name: say(
            "{pilot} is paid for “{mission}”", pilot=name(command.pilot), mission=name(command.mission_id)
        ),
    },
)
