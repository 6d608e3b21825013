"""What a name means: of all that is called so, what its field wants, in campaigns of two systems."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct, structs

from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import is_born
from domain.names.name_resolution import resolve_names
from domain.offers.command_trials import Trial
from domain.offers.possible_commands import values_of
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from services.http.api.possible_commands import partial_of
from tests.offers.fields_of_names import named_by
from tests.offers.moments import moments_at_random

NAMES = ("name", "with")
EVERY = 9
"""So many actions lie between two looks at a play."""


def with_twins(plain: Any, counts: Counter[str], path: str = "") -> Any:
    """A state in which the first things of all kinds are called alike, and so are the second ones."""
    if isinstance(plain, list):
        return [with_twins(item, counts, path) for item in plain]
    if not isinstance(plain, dict):
        return plain
    counts[path] += 1
    called = f"Zoé\u2019s Own {counts[path]}"
    return {
        key: called
        if key in NAMES and isinstance(part, str)
        else with_twins(part, counts, path if is_born(key) else f"{path}.{key}")
        for key, part in plain.items()
    }


def states(system: str, beside: str) -> Iterator[CampaignState]:
    """The campaign of a play, now and then, with another system in it, and namesakes in both."""
    *_, last = moments_at_random(beside, 1)
    for moment in moments_at_random(system, 1):
        if moment.nth % EVERY == EVERY - 1:
            merged = structs.replace(moment.whole, systems={**last.whole.systems, **moment.whole.systems})
            copied = decode_state(encode_state(merged))
            for name, inner in copied.systems.items():
                plain = with_twins(msgspec.to_builtins(inner), Counter())
                copied.systems[name] = msgspec.convert(plain, SYSTEMS[name].state)
            yield copied


def means(known: CampaignState, trial: Trial, kind: type[Struct], field: str, word: Any) -> Any:
    """What a field means, with a word or a list of one in it; the ids to choose from where it is ambiguous."""
    partial = msgspec.convert({"type": str(kind.__struct_config__.tag), field: word}, partial_of(kind))
    try:
        found = getattr(resolve_names(partial, known, trial.context(None)), field)
    except Rejection as refused:
        return {next(iter(choice.values())) for choice in refused.details["choices"]}
    return found[0] if isinstance(found, list) else found


BESIDE = dict(zip(SYSTEMS, [*SYSTEMS][1:] + [*SYSTEMS][:1], strict=True))


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_field_means_its_own_kind_whatever_else_has_the_name(system):
    """Also in other case, without accents, and with other apostrophes."""
    looked_at = Counter[str]()
    for known in states(system, BESIDE[system]):
        gm = next(who for who, role in known.members.items() if role == "gm")
        trial = Trial(known, gm, "gm", at=0)
        values, inner = values_of(SYSTEMS[system], trial), known.systems[system]
        for kind in get_args(SYSTEMS[system].commands):
            for field, named in named_by(kind):
                things = [thing for thing in values.choices(named, {}) if isinstance(thing, str)]
                names = {
                    thing: name for thing in things if (name := SYSTEMS[system].name(inner, thing)) is not None
                }
                for thing, name in names.items():
                    same = {other for other in names if names[other] == name}
                    for word in written(name):
                        found = means(known, trial, kind, field, word if named.name == field else [word])
                        assert found == (thing if len(same) == 1 else same), (kind, field, word)
                    looked_at[str(named.ref)] += 1
    assert sum(looked_at.values()) > 100, looked_at


def written(name: str) -> list[str]:
    """A name as people may write it."""
    return [name, name.upper(), f"zoe's own {name.rpartition(' ')[2]}"] if name.startswith("Zoé") else [name]
