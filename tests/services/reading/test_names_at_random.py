"""In random play, too, a line of the chronicle says for ever what it said when it was told."""

import asyncio

import pytest
from msgspec import structs

from domain.campaign.messages.character_retirement import BringCharacterBack, RetireCharacter
from domain.campaign.messages.names import Rename
from domain.campaign.play.characters import characters
from domain.campaign.play.names import renameable
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.chronicle import entries_of
from services.reading.event_scan import by_action
from tests.services.play_at_random import Campaign

SYSTEMS = ("angst", "frame_state", "freefall", "mobile_frame", "overdrive")
MOVES_MAX = 120
EVERY = 6


async def told(play: Campaign, campaign: VisibleCampaign) -> dict[int, list[str]]:
    """The lines of every action, by its first seq, in English whatever the campaign speaks."""
    rows = await play.application.log.tail(play.id, 0, upto=campaign.seq)
    in_english = structs.replace(campaign, reads="en", name=play.application.names.within(campaign.state, "en"))
    return {
        entry.seq: entry.summary for entry in await entries_of(play.application.log, by_action(rows), in_english)
    }


async def let_somebody_leave(play: Campaign) -> None:
    """A character leaves the story, or one who left it is back."""
    state = (await play.seen(play.gm)).state
    if state.departures:
        assert await play.act(play.gm, BringCharacterBack(next(iter(state.departures))))
    elif people := [character.character for character in characters(state)]:
        # A purse that the table knows only in part is not handed over openly.
        heir = play.chance.choice([None, "world:sea"])
        await play.act(play.gm, RetireCharacter(play.chance.choice(people), "dead", heir))


async def play_with_renames(system: str, seed: int) -> tuple[Campaign, dict[int, list[str]], int]:
    """A play in which something is renamed every few moves: it, what was told of each action, how often."""
    play = Campaign(system, seed)
    await play.gather()
    lines: dict[int, list[str]] = {}
    renamed = 0
    async for nth in play.play():
        seen = await play.seen(play.gm)
        if nth % EVERY == 0:
            things: list[str | None] = [*sorted(renameable(seen.state))] or [None]
            renamed += await play.act(play.gm, Rename(f"Name {nth}", play.chance.choice([None, *things, *things])))
            await let_somebody_leave(play)
            seen = await play.seen(play.gm)
        for seq, summary in (await told(play, seen)).items():
            lines.setdefault(seq, summary)
        if nth == MOVES_MAX:
            break
    return play, lines, renamed


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_was_told_is_told_the_same_after_any_renames(system: str):
    async def check() -> None:
        play, lines, renamed = await play_with_renames(system, 1)
        now = await play.seen(play.gm)
        assert renamed > 5
        after = await told(play, now)
        assert [(lines[s], after[s]) for s in lines if lines[s] != after[s]] == []
        assert after == lines
        forgetful = structs.replace(now, state=structs.replace(now.state, former_names={}))
        assert await told(play, forgetful) != lines, (
            "the control: without former names the past is told in new ones"
        )

    asyncio.run(check())
