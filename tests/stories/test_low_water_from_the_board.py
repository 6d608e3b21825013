"""The recorded battle of Mobile Frame, played by people who read nothing but its board."""

from collections import Counter
from typing import Any

import pytest

from fieldlog.client import Answer, Refused
from services.cli.demo.recording import Act
from services.cli.demo.story import Story
from tests.domain.mobile_frame.from_the_board import is_offered
from tests.sampling import slow_but
from tests.stories.memory_service import memory_service
from tests.stories.playing import recording_of

PLAYED = {
    *("activate_frame", "pass", "declare_target", "roll_dicepool", "assign_die", "move", "attack", "abort_attack"),
    *("name_situation", "resolve_attack", "choose_loss", "remove_bricks", "spot", "end_turn", "end_round"),
}
"""What holds a battle up until somebody does it."""

BESIDE = {"dice_mismatch", "too_many_votes"}
"""Refusals for what somebody rolled, or for the votes that they sent along."""


class OnTheBoard(Story):
    """The story, which looks at the board before every command of a battle."""

    checked: Counter[str]

    def ask(self, act: Act, key: str) -> Answer:
        """Whatever is accepted stood on the board; whatever is refused did not, as a word of whoever asked."""
        command = self._with_ids(act.command)
        kind = str(command["type"]).removeprefix("mobile_frame.")
        if kind not in PLAYED:
            return super().ask(act, key)
        board = self.get("pip", "/boards/mobile_frame/battle")
        whole: list[dict[str, Any]] = board["waits_for"]
        is_gm = self.recording.title.people[act.who].role == "gm"
        own = [each for each in whole if is_gm or each["waits_for"] == self.bound[act.who]]
        offered = is_offered(own, command)
        try:
            answer = super().ask(act, key)
        except Refused as refused:
            self.checked["refused"] += refused.code not in BESIDE
            self.checked["refused although offered"] += offered and refused.code not in BESIDE
            raise
        assert offered, (command, own)
        self.checked["accepted"] += 1
        return answer


@pytest.mark.parametrize("language", slow_but(["en", "fr"], "en"))
def test_the_recorded_battle_is_played_from_its_board(language):
    """At the table, Mobile Frame 5: nobody is stuck, and nobody is offered what is refused."""
    recording = recording_of("mobile_frame")
    recording.title.settings["campaign.language"] = language
    with memory_service(1) as client:
        story = OnTheBoard(recording, client, suffix=" on the board", wait_seconds_max=0)
        story.checked = Counter()
        for _ in story.play():
            pass
    assert story.checked["accepted"] > 150
    assert story.checked["refused"] > 10
    assert story.checked["refused although offered"] == 0
