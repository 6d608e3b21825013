"""What a command would do, without doing it: decided on what its asker knows, and no die falls."""

from collections.abc import Callable, Generator
from typing import Any

from msgspec import Struct, structs

from domain.campaign.evolve import evolve_all
from domain.campaign.names import name_resolution
from domain.campaign.secrecy.audience import without_secrets
from domain.campaign.state import CampaignState
from domain.offers.trial import Trial
from domain.rejection import Rejection
from projections.campaign.full_view import Changes, changes, everything
from projections.languages import render
from projections.narration import told
from projections.possible_commands import RefusedNow
from services.queries.campaign_reader import VisibleCampaign
from services.queries.names_in_answers import named
from services.queries.numbered_events import EventJson, numbered


class DryRun(Struct, frozen=True):
    """What a command would do as of a seq, as far as its asker knows the campaign. Nothing of it is stored.

    Where it is not `possible`, `refused` says why. Where dice decide, `rolls` are the sides of those that would be
    rolled first (none for a command that publishes seeds, which are not told before), `letters` what the rulebook
    writes for each where they differ by more, such as colours, and `odds` how likely each outcome is, if that is
    known; there are no events then. Otherwise there are the `events`, each with the seq that it would have, a
    `summary` in words, and what they would change, if that is known. In truth it may still be refused, with
    `not_possible_now`.
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


def refused(seen: VisibleCampaign, refusal: Rejection) -> DryRun:
    """That a command would be refused, and why."""
    why = RefusedNow(refusal.code, refusal.rule, render(refusal.message, seen.language))
    return DryRun(seen.seq, possible=False, refused=why)


def dry_run(
    seen: VisibleCampaign, known: CampaignState, name: Callable[[Any], str], trial: Trial, command: Any
) -> Generator[None, None, DryRun]:
    """Try a command on `known`, a copy of what the asker knows that is changed; `name` calls things in it."""
    yield
    try:
        meant = name_resolution.resolved(command, known)
        events = trial.events(meant)
    except Rejection as refusal:
        return refused(seen, refusal)
    yield
    if events is None:
        sides, odds = trial.rolled(meant)
        return DryRun(seen.seq, possible=True, rolls=[*sides], odds=odds, letters=trial.letters(meant))
    before = everything(known, name, seen.language)
    yield
    after = everything(evolve_all(known, events), name, seen.language)
    read = events if seen.role == "gm" else [without_secrets(each) for each in events]
    yield
    tried = DryRun(
        seen.seq,
        possible=True,
        events=[numbered(seq, each) for seq, each in enumerate(read, seen.seq + 1)],
        summary=told(read, name, seen.language),
        changes=changes(before, after),
    )
    return named(tried, structs.replace(seen, state=known, name=name))
