"""The views of Frame State."""

from domain.sentences import say
from domain.systems.frame_state.commands import PostPayout
from projections.system_views import Board, SystemViews
from projections.systems.frame_state import (
    awaited_answers,
    boards,
    choice_titles,
    layout,
    mission_drawing,
    narration,
    recap_weights,
    service_record,
    setting_values,
)
from projections.systems.frame_state.sheet import PilotSheetView, sheet
from projections.systems.frame_state.system_origin import SOURCE
from projections.systems.frame_state.vocabulary import VOCABULARY

FRAME_STATE_VIEWS = SystemViews(
    line=say("Pilots for hire and their frames: step dice, missions, and money that pays for everything."),
    source=SOURCE,
    tellers=narration.TELL,
    brings=narration.brings,
    emphasis=recap_weights.EMPHASIS,
    sheet=sheet,
    boards=(Board("mission", say("Missions and tests"), boards.mission, mission_drawing.draw),),
    waits_for=(awaited_answers.waits_for,),
    record=service_record.PilotRecordFold,
    vocabulary=VOCABULARY,
    setting_values=setting_values.VALUES,
    layouts={PilotSheetView: layout.SHEET},
    describe_scheduled={
        PostPayout: lambda command, name: say(
            "{pilot} is paid for “{mission}”", pilot=name(command.pilot), mission=name(command.mission_id)
        ),
    },
    downtime=("refit", "advance_category", "allocate_point"),
    tests=("call_test",),
    choice_title=choice_titles.choice_title,
)
