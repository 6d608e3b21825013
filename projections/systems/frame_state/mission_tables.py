"""Missions and tests of Frame State as tables."""

from domain.systems.frame_state.term_words import money
from projections.drawings.board_parts import Figure, Table, Words, in_a_line, item, tables
from projections.systems.frame_state import mission_words
from projections.systems.frame_state.boards import (
    FrameDue,
    MissionBoard,
    MissionStands,
    PayoutStands,
    ProposalStands,
    ReplacementStands,
    TestStands,
)


def mission_tables(board: MissionBoard, words: Words) -> list[Table]:
    """Tests with their odds, missions, proposals and money."""
    tests = words.header(TestStands, "roller", "test_type", "mark", "offers", "added", "odds", "situation")
    return tables(
        Table(
            words.field(MissionBoard, "open_tests"), tests, [_test_row(test, words) for test in board.open_tests]
        ),
        Table(
            words.field(MissionBoard, "missions"),
            words.header(MissionStands, "name", "pilots"),
            [[mission.name, in_a_line(*(one.name for one in mission.pilots))] for mission in board.missions],
        ),
        Table(
            words.field(MissionBoard, "proposals"),
            words.header(ProposalStands, "pilot", "dice", "intent"),
            [
                [proposal.pilot.name, mission_words.proposed(proposal, words), proposal.intent or ""]
                for proposal in board.proposals
            ],
        ),
        Table(
            words.field(MissionBoard, "replacements"),
            words.header(ReplacementStands, "pilot", "old", "new"),
            [
                [replacement.pilot.name, replacement.old.name, replacement.new_name]
                for replacement in board.replacements
            ],
        ),
        Table(
            words.field(MissionBoard, "frames_due"),
            words.header(FrameDue, "pilot", "new", "price"),
            [
                [
                    due.pilot.name,
                    due.new.name,
                    Figure(words.say(money(due.price)), "frames_due", item(due.pilot.id), "price"),
                ]
                for due in board.frames_due
            ],
        ),
        Table(
            words.field(MissionBoard, "payouts"),
            words.header(PayoutStands, "pilot", "name", "amount"),
            [
                [
                    payout.pilot.name,
                    payout.name,
                    Figure(
                        words.say(money(payout.amount)),
                        "payouts",
                        item(payout.mission_id, payout.pilot.id),
                        "amount",
                    ),
                ]
                for payout in board.payouts
            ],
        ),
    )


def _test_row(test: TestStands, words: Words) -> list[str]:
    at = ("open_tests", item(test.test_id))
    mark = None if test.mark is None else Figure(test.mark, *at, "mark")
    return [
        test.roller.name,
        words.value(TestStands, "test_type", test.test_type),
        in_a_line(mark, mission_words.hidden_mark(test, words)),
        in_a_line(
            *(mission_words.die(offer, words, *at, "offers", item(nth)) for nth, offer in enumerate(test.offers))
        ),
        mission_words.modifier_total(test, words, *at),
        in_a_line(*mission_words.chances(test, words, *at)),
        test.situation or "",
    ]
