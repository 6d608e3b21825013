"""The views of Frame State."""

from domain.sentences import say
from domain.systems.frame_state.commands import PostPayout
from projections.system_views import Board, RecordKeeper, SystemViews
from projections.systems.frame_state import awaited_answers, boards, layout, narration, recap, record
from projections.systems.frame_state.sheet import PilotSheetView, sheet
from projections.systems.frame_state.vocabulary import VOCABULARY

FRAME_STATE_VIEWS = SystemViews(
    tellers=narration.TELL,
    emphasis=recap.EMPHASIS,
    sheet=sheet,
    boards=(Board("mission", say("Missions and tests"), boards.mission),),
    waits_for=(awaited_answers.waits_for,),
    record=RecordKeeper(record.PilotRecordFold, record.EVENTS),
    vocabulary=VOCABULARY,
    layouts={PilotSheetView: layout.SHEET},
    describe_scheduled={
        PostPayout: lambda command, name: say(
            "{pilot} is paid for “{mission}”", pilot=name(command.pilot), mission=name(command.mission_id)
        ),
    },
)
