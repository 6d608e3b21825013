"""The effects of a command, without giving it: decided on its asker's knowledge, and no die falls."""

from collections.abc import Callable, Generator
from typing import Any

from msgspec import UNSET, Struct, structs

from domain.campaign.command_request import Together
from domain.campaign.commands import RollDice
from domain.campaign.evolve import evolve_all
from domain.campaign.play.free_rolls import notation_of_campaign
from domain.campaign.secrecy.audience import without_secrets
from domain.campaign.state import CampaignState
from domain.names import name_resolution
from domain.offers.command_trials import Trial
from domain.rejection import Rejection
from domain.systems.system import Way
from projections.campaign.dice_expressions import DiceReading, read_dice
from projections.campaign.full_view import Changes, Everything, changes, everything
from projections.choice_words import titles_in
from projections.command_forms import RefusedNow
from projections.languages import render
from projections.narration import narrate
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.names_in_answers import with_names
from services.reading.numbered_events import EventJson, json_with_seq


class DryRun(Struct, frozen=True):
    """The effects of a command as of a seq, as far as its asker knows the campaign. Nothing of it is stored.

    Where it is not `possible`, `refused` says why. Where dice decide, `rolls` are the sides of those that would be
    rolled first (none for a command that publishes seeds, which are not told before), `letters` what the rulebook
    writes for each where they differ by more, such as colours, and `odds` how likely each outcome is, if that is
    known: by the rulebook's word, the id or name of the side that is ahead or `tie`, or a number of hits; `chance`
    is how likely it is to beat the difficulty, or a result that is known, where the outcomes do not say it, and
    `ways` are the best choices of dice, one for each price; `against` is how likely they are to be ahead of each
    pool that another side may roll later, by its notation. There are no events then. Otherwise there are the
    `events`, each with the seq that it would have, a `summary` in words, and what they would change, if that is
    known. In truth it may still be refused, with `not_possible_now`. Of several commands, `command_number` says
    which is refused, and those behind the first that rolls are not tried.
    """

    as_of: int
    possible: bool
    refused: RefusedNow | None = None
    rolls: list[int] = []
    odds: dict[str, float] | None = None
    events: list[EventJson] = []
    summary: list[str] = []
    changes: Changes | None = None
    names: dict[str, str] = {}
    letters: list[str] = []
    chance: float | None = None
    command_number: int | None = None
    ways: list[Way] = []
    against: dict[str, float] = {}
    reading: DiceReading | None = None
    """The meaning of the dice expression of a free roll."""


def dry_refusal(campaign: VisibleCampaign, refusal: Rejection) -> DryRun:
    """That a command would be refused, and why."""
    why = RefusedNow(refusal.code, refusal.rule, render(refusal.message, campaign.language))
    return DryRun(campaign.seq, possible=False, refused=why)


def _reading(campaign: VisibleCampaign, state: CampaignState, command: Any) -> DiceReading | None:
    """The meaning of the dice expression of a free roll; None for other commands."""
    if not isinstance(command, RollDice):
        return None
    dialect = notation_of_campaign(state) if command.dialect is UNSET else command.dialect
    return read_dice(command.notation, dialect, campaign.language)


def dry_run(
    campaign: VisibleCampaign, state: CampaignState, name: Callable[[Any], str], trial: Trial, command: Any
) -> Generator[None, None, DryRun]:
    """Try a command, or several together, on `state`, a copy of what the asker knows, which is changed.

    `name` calls things in it.
    """
    commands = command.commands if isinstance(command, Together) else [command]
    yield
    before: Everything | None = None
    all_events: list[Any] = []
    for nth, wish in enumerate(commands):
        trial = trial if nth == 0 else Trial(state, trial.account, trial.role, trial.at, trial.common, nth)
        try:
            resolved_command = name_resolution.resolve_names(wish, state, trial.context(wish), titles_in(state))
            events = trial.events(resolved_command)
        except Rejection as refusal:
            number = nth + 1 if len(commands) > 1 else None
            return structs.replace(dry_refusal(campaign, refusal), command_number=number)
        yield
        if events is None:
            dice = trial.first_dice(resolved_command)
            would_roll = DryRun(
                campaign.seq,
                possible=True,
                rolls=dice.sides,
                odds=dice.odds,
                letters=dice.letters,
                chance=dice.chance,
                ways=dice.ways,
                against=dice.against,
                reading=_reading(campaign, state, wish),
            )
            return with_names(would_roll, structs.replace(campaign, state=state, name=name))
        if before is None:
            before = everything(state, name, campaign.language)
            yield
        state = evolve_all(state, events)
        all_events += events
    assert before is not None
    events = all_events
    after = everything(state, name, campaign.language)
    visible_events = events if campaign.role == "gm" else [without_secrets(event) for event in events]
    yield
    tried = DryRun(
        campaign.seq,
        possible=True,
        events=[json_with_seq(seq, event) for seq, event in enumerate(visible_events, campaign.seq + 1)],
        summary=narrate(visible_events, name, campaign.language),
        changes=changes(before, after),
    )
    return with_names(tried, structs.replace(campaign, state=state, name=name))
