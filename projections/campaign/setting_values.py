"""The values of settings that are one of a few words, as sentences.

Each setting has its own table, since the same word (`gm`, `any`, `free`) means different things.
"""

from typing import Final

from domain.sentences import Sentence, say

YES, NO = say("yes"), say("no")
AS_THE_GM_SAYS = say("as the GM says")
CALENDAR, REAL_TIME = say("the campaign's calendar"), say("real time")

VALUES: Final[dict[str, dict[str, Sentence]]] = {
    "campaign.dice_origins": {
        "any": say("either"),
        "server": say("the service's"),
        "table": say("the table's own"),
    },
    "campaign.timer_clock": {"game": CALENDAR, "real": REAL_TIME},
    "campaign.downtime_approval": {"none": NO, "gm": YES},
    "campaign.debt": {
        "allowed": say("all accounts"),
        "shared": say("all but purses"),
        "refused": say("no account"),
    },
    "campaign.player_undo": {
        "own_last": say("their own last action"),
        "own": say("any of their own"),
        "nothing": say("nothing"),
    },
    "campaign.dice_after_undo": {"same": say("the same dice"), "new": say("new dice")},
    "frame_state.refit_scope": {"any": say("any category"), "frame": say("only those of frames")},
    "frame_state.frame_loss": {
        "pools_lost": say("lost with the frame"),
        "pools_kept": say("kept for the next frame"),
    },
    "frame_state.mission_costs": {"off": NO, "public": YES},
    "frame_state.salvage": {"off": NO, "public": YES},
    "frame_state.new_frame": {
        "due": say("before the next mission"),
        "charged": say("when it is created"),
        "on_replacement": say("when it replaces the lost one"),
    },
    "freefall.av_stacking": {"highest": say("only the highest"), "sum": say("all of it")},
    "freefall.declaration_order": {
        "acceptance": say("in reverse order of declaration"),
        "gm": AS_THE_GM_SAYS,
    },
    "freefall.auto_clear_temporary": {
        "ask": say("a GM is asked"),
        "regroup": say("at a regroup"),
        "downtime": say("after downtime"),
    },
    "freefall.downtime_restore": {"full": say("in full"), "gm": AS_THE_GM_SAYS},
    "freefall.permanent_type": {"any": say("any type"), "same": say("the same type first")},
    "freefall.creation_values": {"free": say("free values"), "public": say("12, 8 and 6")},
    "freefall.credits": {"tracked": YES, "off": NO},
    "freefall.crew_debt": {"allowed": YES, "refused": NO},
    "freefall.harm_chooser": {"owner": say("only the player"), "anyone": say("a GM too")},
    "freefall.tn_named_by": {
        "declared": say("the GM, else whoever declares"),
        "gm": say("the GM alone"),
        "roller": say("whoever rolls"),
    },
    "freefall.broken_machines": {
        "repair": say("after a repair"),
        "restore": say("once it is restored"),
        "never": say("never"),
    },
    "angst.spared_cap": {"d4": say("d4 at most"), "none": say("higher, with a warning")},
    "angst.suck_floor": {"d0": say("down to d0"), "d4": say("down to d4")},
    "angst.clock": {"game": CALENDAR, "real": REAL_TIME},
    "mobile_frame.situation_named_by": {
        "attacker": say("the attacker"),
        "agreed": say("both in agreement"),
    },
    "mobile_frame.stray_shots": {"ignored": say("ignored"), "passed_on": say("dealt to the target")},
    "mobile_frame.doomsday_tie": {
        "joint": say("joint winners"),
        "one_more_round": say("one more round"),
        "most_assets": say("whoever has the most assets"),
    },
    "mobile_frame.between_battles": {"repaired": say("whole"), "kept": say("as the last battle left them")},
    "overdrive.tier_reading": {"strict": say("more than 5"), "inclusive": say("5 or more")},
    "overdrive.stabilisation_tie": {"fails": say("it fails"), "holds": say("it holds")},
    "overdrive.duel_raise": {"overtake": say("it must overtake"), "free": say("it is free")},
    "overdrive.revelation_award": {"each": say("each participant"), "one": say("one alone")},
    "overdrive.progression": {"off": NO, "exo_progression": YES},
}
