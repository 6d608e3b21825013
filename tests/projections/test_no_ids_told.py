"""Chronicles and recaps never show an id, nor anything of the language this is written in (rules, All)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from domain.campaign.events import EntryPosted, SettingChanged
from domain.campaign.messages.escrow import EntryPending
from domain.campaign.state import CampaignState
from domain.ids import AccountId
from projections.languages import render
from projections.narration import narrate, tell
from services.campaign.name_resolver import NameResolver
from tests.domain.plays import PLAYS, folded
from tests.domain.plays import told as as_actions
from tests.doubles.account_stores import MemoryAccountStore
from tests.languages.messages import LANGUAGES
from tests.refusals import not_for_people

STORIES = sorted((Path(__file__).parents[1] / "stories").glob("*.golden.json"))
PYTHON = re.compile(r"[{\[(]'|\bNone\b|\bTrue\b|\bFalse\b|<[a-z]+ object")
SEEDS = 3
ANA = AccountId(uuid5(NAMESPACE_URL, "ana"))


def names() -> NameResolver:
    return NameResolver(MemoryAccountStore(lambda: 0))


def offences(sentence: str) -> list[str]:
    return [*not_for_people(sentence), *PYTHON.findall(sentence)]


@pytest.mark.parametrize("system", PLAYS)
def test_random_play_is_told_without_ids_in_every_language(system):
    wrong = []
    for seed in range(SEEDS):
        start, actions = as_actions(system, PLAYS[system](Random(seed)))  # noqa: S311 — plays the same each time
        name = names().within(folded(start, actions))
        for language in ("en", *LANGUAGES):
            sentences = (each for action in actions for each in narrate(action.events, name, language))
            wrong += [each for each in sentences if offences(each)]
    assert wrong == []


def strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, list | dict):
        for each in part.values() if isinstance(part, dict) else part:
            yield from strings(each)


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.name.partition(".")[0])
def test_recorded_stories_are_told_without_ids(story):
    """What the goldens keep is what is read now: the stories' own tests see to that. The ledger is no text."""
    told = {part: each for part, each in json.loads(story.read_text("utf-8")).items() if part != "ledger"}
    assert [each for each in strings(told) if " " in each and offences(each)] == []


CHART = [{"account": "crew", "title": "The kitty"}, {"account": "world:old_bank", "title": "The Old Bank"}]


@pytest.mark.parametrize(
    ("event", "english", "french"),
    [
        (
            EntryPosted("e", "story_points", "crew", f"player:{ANA}", 4, "luck"),
            "4 story points moved from The kitty to Ana: luck",
            "4 points d'Histoire : de The kitty à Ana : luck",
        ),
        (
            EntryPending("e", "marks", "world:old_bank", "world:salt_market", 1200, "salt", ANA, None),
            "1,200 marks are set aside, from The Old Bank for salt market: salt",
            "1_200 marks sont mis de côté, de The Old Bank pour salt market : salt",
        ),
        (
            SettingChanged("campaign.chart", CHART),
            (
                "A setting was changed. The group's accounts, with their titles, and which of them may go below "
                "zero. Now: The kitty and The Old Bank"
            ),
            (
                "Un paramètre a changé. Les comptes du groupe, leurs titres, et ceux qui peuvent passer sous "
                "zéro. Désormais : The kitty et The Old Bank"
            ),
        ),
        (
            SettingChanged("campaign.calendar", {"months": [{"name": "Salt", "days": 30}], "week": [], "year": 3}),
            (
                "A setting was changed. The group's calendar: its months with their days, its week, its first "
                "year. Now: months: Salt; week: nothing; year: 3"
            ),
            (
                "Un paramètre a changé. Le calendrier du groupe : ses mois et leurs jours, sa semaine, sa "
                "première année. Désormais : months : Salt ; week : rien ; year : 3"
            ),
        ),
    ],
)
def test_accounts_currencies_and_settings_are_told_by_what_the_group_calls_them(event, english, french):
    """Review of the language, French 8."""
    known = names()
    known.learn(ANA, "Ana")
    name = known.within(CampaignState(members={ANA: "gm"}, changed_settings={"campaign.chart": CHART}))
    assert render(tell(event, name), "en") == english
    spaces = {" :": "\u00a0:", " ;": "\u202f;", "_": "\u202f", "'": "\u2019"}
    for plain, typeset in spaces.items():
        french = french.replace(plain, typeset)
    assert render(tell(event, name), "fr") == french


def test_an_id_and_python_are_noticed():
    """Negative control."""
    assert offences("Wren rolled 14 19 for action-7cd9aaaa1234")
    assert offences("moved from party to player:2383aaaa-0000-4000-8000-000000000000")
    assert offences("was set to [{'account': 'crew'}]")
    assert not offences("Wren rolled 14 19 for the door")
