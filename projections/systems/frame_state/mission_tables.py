"""Missions and tests of Frame State as tables."""

from domain.systems.frame_state.terms import money
from projections.drawings.board_parts import Figure, Table, Words, in_a_line, item, tables
from projections.systems.frame_state import mission_words as told
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
            words.field(MissionBoard, "open_tests"), tests, [_test_row(each, words) for each in board.open_tests]
        ),
        Table(
            words.field(MissionBoard, "missions"),
            words.header(MissionStands, "name", "pilots"),
            [[each.name, in_a_line(*(one.name for one in each.pilots))] for each in board.missions],
        ),
        Table(
            words.field(MissionBoard, "proposals"),
            words.header(ProposalStands, "pilot", "dice", "intent"),
            [[each.pilot.name, told.proposed(each, words), each.intent or ""] for each in board.proposals],
        ),
        Table(
            words.field(MissionBoard, "replacements"),
            words.header(ReplacementStands, "pilot", "old", "new"),
            [[each.pilot.name, each.old.name, each.new_name] for each in board.replacements],
        ),
        Table(
            words.field(MissionBoard, "frames_due"),
            words.header(FrameDue, "pilot", "new", "price"),
            [
                [
                    each.pilot.name,
                    each.new.name,
                    Figure(words.say(money(each.price)), "frames_due", item(each.pilot.id), "price"),
                ]
                for each in board.frames_due
            ],
        ),
        Table(
            words.field(MissionBoard, "payouts"),
            words.header(PayoutStands, "pilot", "name", "amount"),
            [
                [
                    each.pilot.name,
                    each.name,
                    Figure(
                        words.say(money(each.amount)), "payouts", item(each.mission_id, each.pilot.id), "amount"
                    ),
                ]
                for each in board.payouts
            ],
        ),
    )


def _test_row(each: TestStands, words: Words) -> list[str]:
    at = ("open_tests", item(each.test_id))
    mark = None if each.mark is None else Figure(each.mark, *at, "mark")
    return [
        each.roller.name,
        words.value(TestStands, "test_type", each.test_type),
        in_a_line(mark, told.hidden(each, words)),
        in_a_line(*(told.die(offer, words, *at, "offers", item(nth)) for nth, offer in enumerate(each.offers))),
        told.added(each, words, *at),
        in_a_line(*told.chances(each, words, *at)),
        each.situation or "",
    ]
