"""The views of Angst."""

from domain.sentences import say
from domain.systems.angst.commands import RecoverCore
from domain.systems.angst.term_words import CORE_WORDS
from projections.system_views import Board, SystemViews
from projections.systems.angst import (
    awaited_answers,
    boards,
    layout,
    narration,
    recap_weights,
    relationships_drawing,
    scene_drawing,
    service_record,
    setting_values,
)
from projections.systems.angst.sheet import CharacterSheetView, sheet
from projections.systems.angst.system_origin import SOURCE
from projections.systems.angst.vocabulary import VOCABULARY

ANGST_VIEWS = SystemViews(
    line=say("Feelings under pressure: two dice, relationships with grades, and Angst that builds up."),
    source=SOURCE,
    tellers=narration.TELL,
    brings=narration.brings,
    emphasis=recap_weights.EMPHASIS,
    sheet=sheet,
    boards=(
        Board("scene", say("The scene"), boards.scene, scene_drawing.draw),
        Board("relationships", say("Relationships"), boards.relationships, relationships_drawing.draw),
    ),
    waits_for=(awaited_answers.waits_for,),
    record=service_record.CharacterRecordFold,
    vocabulary=VOCABULARY,
    setting_values=setting_values.VALUES,
    layouts={CharacterSheetView: layout.SHEET},
    describe_scheduled={
        RecoverCore: lambda command, name: say(
            "{who} recovers a step of {core}", who=name(command.character), core=CORE_WORDS[command.core]
        ),
    },
    tests=("call_test",),
    contests=("resolve_opposed",),
    good_dice=say("In Angst a Penalty Die is the better the lower it falls."),
)
