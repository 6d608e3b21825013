"""The views of Mobile Frame."""

from domain.sentences import say
from projections.system_views import Board, SystemViews
from projections.systems.mobile_frame import (
    battle_drawing,
    boards,
    layout,
    narration,
    recap_weights,
    service_record,
    setting_values,
)
from projections.systems.mobile_frame.system_origin import SOURCE
from projections.systems.mobile_frame.vocabulary import VOCABULARY

MOBILE_FRAME_VIEWS = SystemViews(
    line=say("A battle on the tabletop: pools of coloured dice, companies of frames, a clock."),
    source=SOURCE,
    tellers=narration.TELL,
    emphasis=recap_weights.EMPHASIS,
    boards=(Board("battle", say("The battle"), boards.battle, battle_drawing.draw),),
    waits_for=(boards.waits_for,),
    record=service_record.FieldedRecordFold,
    vocabulary=VOCABULARY,
    setting_values=setting_values.VALUES,
    layouts={boards.BattleView: layout.BATTLE},
)
