"""The views of Mobile Frame."""

from domain.sentences import say
from projections.system_views import Board, RecordKeeper, SystemViews
from projections.systems.mobile_frame import boards, layout, narration, recap, record
from projections.systems.mobile_frame.vocabulary import VOCABULARY

MOBILE_FRAME_VIEWS = SystemViews(
    tellers=narration.TELL,
    emphasis=recap.EMPHASIS,
    boards=(Board("battle", say("The battle"), boards.battle),),
    waits_for=(boards.waits_for,),
    record=RecordKeeper(record.FieldedRecordFold, record.EVENTS),
    vocabulary=VOCABULARY,
    layouts={boards.BattleView: layout.BATTLE},
)
