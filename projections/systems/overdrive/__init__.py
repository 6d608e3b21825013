"""The views of Overdrive."""

from domain.sentences import say
from domain.systems.overdrive.commands import PostObjectiveAward
from projections.system_views import Board, SystemViews
from projections.systems.overdrive import (
    awaited_answers,
    boards,
    fight_drawing,
    layout,
    narration,
    recap_weights,
    service_record,
    setting_values,
    story_board,
    story_drawing,
)
from projections.systems.overdrive.sheet import CharacterSheetView, sheet
from projections.systems.overdrive.system_origin import SOURCE
from projections.systems.overdrive.vocabulary import VOCABULARY

OVERDRIVE_VIEWS = SystemViews(
    line=say("Mecha drama: pools of dice that explode, strained ties, and points of Overdrive."),
    source=SOURCE,
    tellers=narration.TELL,
    brings=narration.brings,
    emphasis=recap_weights.EMPHASIS,
    sheet=sheet,
    boards=(
        Board("fight", say("The fight"), boards.fight, fight_drawing.draw),
        Board("story", say("The story"), story_board.story, story_drawing.draw),
    ),
    waits_for=(awaited_answers.fight_waits_for, awaited_answers.story_waits_for),
    record=service_record.CharacterRecordFold,
    vocabulary=VOCABULARY,
    setting_values=setting_values.VALUES,
    layouts={CharacterSheetView: layout.SHEET},
    describe_scheduled={
        PostObjectiveAward: lambda _, __: say("An objective that has waited long enough is rewarded"),
    },
    downtime=("spend_recovery", "restore", "recharge_mech", "advance"),
    tests=("roll",),
    contests=("start_duel",),
    good_dice=say("In Overdrive dice of a pool are the better the lower they fall."),
)
