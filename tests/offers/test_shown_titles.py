"""What a form shows of a choice without a name may be sent for it, in every language, in plays of every system."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from domain.campaign.state import CampaignState
from domain.names.name_resolution import resolve_names
from domain.offers.command_trials import Trial
from domain.offers.possible_commands import values_of
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from projections.choice_words import titles_in
from services.http.api.possible_commands import partial_of
from tests.offers.fields_of_names import named_by
from tests.offers.moments import moments_at_random

OTHERS = ("company", "crew", "member")
"""What is named before a command is decoded, or is a key that people write."""
DICE = ("die_word", "core_rating")
EVERY = 12
"""So many actions lie between two looks at a play."""


def means(state: CampaignState, trial: Trial, kind: type[Struct], field: str, word: Any) -> set[Any]:
    """What a field may mean with a word, or a list of one, in it."""
    partial = msgspec.convert({"type": str(kind.__struct_config__.tag), field: word}, partial_of(kind))
    try:
        meanings = getattr(resolve_names(partial, state, trial.context(None), titles_in(state)), field)
    except Rejection as refusal:
        return {next(iter(choice.values())) for choice in refusal.details["choices"]}
    return {*meanings} if isinstance(meanings, list) else {meanings}


def unnamed(system: str) -> Iterator[tuple[CampaignState, Trial, type[Struct], str, Any, str]]:
    """What may stand in fields of commands and has no name, now and then in a play."""
    rules = SYSTEMS[system]  # type: ignore[index]
    for moment in moments_at_random(system, 1):
        if moment.nth % EVERY != EVERY - 1:
            continue
        state = moment.whole
        gm = next(account for account, role in state.members.items() if role == "gm")
        trial = Trial(state, gm, "gm", at=0)
        values, inner = values_of(rules, trial), state.systems[rules.id]
        for kind in get_args(rules.commands):
            for field, part in named_by(kind):
                things = values.choices(part, {}) if part.ref not in OTHERS else ()
                for thing in things:
                    if isinstance(thing, str) and rules.name(inner, thing) is None:
                        yield state, trial, kind, field, part, thing


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_choice_without_a_name_goes_by_what_is_shown_of_it(system):
    looked_at = Counter[str]()
    for state, trial, kind, field, part, thing in unnamed(system):
        for title in titles_in(state)(kind, field, thing):
            word = title if part.ref in DICE else title.upper()
            meanings = means(state, trial, kind, field, word if part.name == field else [word])
            assert thing in meanings, (kind, field, title)
            assert meanings == {thing}, "one of them only"
            looked_at[str(part.ref)] += 1
    assert looked_at or system in ("freefall", "mobile_frame")
