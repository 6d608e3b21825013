"""`/c/{campaign}/luck`: everyone's dice beside those that fair dice would have been."""

from typing import Any, ClassVar

from babel.numbers import format_decimal
from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from markupsafe import Markup
from msgspec import Struct, structs

from domain.dice import Origin
from domain.sentences import Part, Sentence, number, say, say_many
from projections.drawings.luck import SIGMA, Strayed, histogram, scale
from projections.statistics.roll_statistics import DieStatistics, PersonStatistics, TestStatistics
from projections.words import words_in
from services.api.statistics import rolls_counted
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.event_scan import folded_from
from services.queries.play_session import session_span
from services.runtime.reader_language import reader_language
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, frame_of, read_paths, seen_by
from services.web.chronicle_lines import OUTCOMES
from services.web.visitor import Visitor

SESSION_DIGITS_MAX = 6
STREAK_MIN = 2
SIGNED = "+0.0;\N{MINUS SIGN}0.0"
ORIGINS: dict[Origin, Sentence] = {"server": say("of the service"), "table": say("of the table")}


class LuckRow(Struct, frozen=True):
    """Someone's dice of one origin: how many, how far they strayed, and that in words."""

    name: str
    origin: Sentence
    rolls: int
    z: str
    told: str


class DieShown(Struct, frozen=True):
    """Dice of one size: how often each face fell, drawn and in numbers, beside what fair dice do."""

    title: Sentence
    drawing: Markup
    told: str
    count: int
    mean: str
    fair_mean: str
    streak: Part
    faces: list[int]
    fair: str


class OutcomeShown(Struct, frozen=True):
    """How often tests came out so, and how often fair dice would have it; in words."""

    title: Sentence
    count: int
    fair: str
    told: str


class TestsShown(Struct, frozen=True):
    """The tests of one person, by outcome; of so many the odds are known."""

    title: Sentence
    outcomes: list[OutcomeShown]


class PersonShown(Struct, frozen=True):
    """One person's dice and tests."""

    name: str
    dice: list[DieShown]
    tests: list[TestsShown]


class LuckPage(CampaignPage, frozen=True, kw_only=True):
    """Luck in a play session, or in the whole campaign (None); `begun` is how many sessions there were.

    `since` is the number of the event from which on rolls are counted, 0: from the first.
    """

    template: ClassVar[str] = "luck.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "home"
    session: int | None
    begun: int
    since: int
    drawing: Markup
    rows: list[LuckRow]
    dice: list[DieShown]
    people: list[PersonShown]

    @property
    def title(self) -> Sentence:
        """What it is about."""
        return say("Luck")


@get(read_paths("/luck"))
async def luck(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """The dice that the reader may see; with `?session=` those of one play session."""
    seen = await seen_by(application, visitor, campaign)
    begun, said = seen.state.sessions_played, request.query_params.get("session", "")
    session = int(said) if said.isascii() and said.isdigit() and len(said) <= SESSION_DIGITS_MAX else None
    counted, after = seen, 0
    if session is not None:
        first, last = await session_span(application.log, application.views, seen, session)
        counted, after = structs.replace(seen, seq=last), first - 1
    tally = await rolls_counted(application, counted, after)
    statistics, everyone = tally.statistics(seen.seq, after, seen.name, seen.told), tally.everyone(seen.told)
    told = _Telling(seen)
    all_of_them = seen.told(say("Everyone"))
    heights = [(all_of_them, everyone.height), *((each.name, each.height) for each in statistics.people)]
    strayed = [
        Strayed(name, origin, each.rolls, each.z, each.words)
        for name, height in heights
        for origin, each in height.items()
    ]
    page = LuckPage(
        **frame_of(seen),
        session=session,
        begun=begun,
        since=0 if session is not None else folded_from(seen),
        drawing=told.scale(strayed),
        rows=[told.row(each) for each in strayed],
        dice=[told.die(each) for each in everyone.dice if each.faces is not None],
        people=[told.person(each) for each in statistics.people],
    )
    return shown(request, visitor, page)


class _Telling:
    """Tells statistics to one reader."""

    def __init__(self, seen: VisibleCampaign) -> None:
        self._language = reader_language() or seen.language
        self._words = words_in(self._language)

    def row(self, each: Strayed) -> LuckRow:
        return LuckRow(each.name, ORIGINS[each.origin], each.rolls, self._sigma(each.z), each.told)

    def scale(self, strayed: list[Strayed]) -> Markup:
        title = self._words.say(say("How far dice strayed from fair ones"))
        told = "; ".join(f"{each.name}: {each.told}" for each in strayed)
        return Markup(scale(title, told, strayed, self._words) if strayed else "")  # noqa: S704 — escaped where it is drawn

    def person(self, person: PersonStatistics) -> PersonShown:
        dice = [self.die(each) for each in person.dice if each.faces is not None]
        return PersonShown(person.name, dice, [self._tests(each) for each in person.tests])

    def die(self, die: DieStatistics) -> DieShown:
        faces = die.faces or []
        title = say("d{sides} {origin}", sides=die.sides, origin=ORIGINS[die.origin])
        told = self._words.say(
            say("Height: {height}. Faces: {evenness}.", height=die.height.words, evenness=die.evenness.words)
        )
        return DieShown(
            title=title,
            drawing=Markup(histogram(self._words.say(title), told, faces)),  # noqa: S704 — escaped where it is drawn
            told=told,
            count=die.count,
            mean=self._decimal(die.mean),
            fair_mean=self._decimal(die.expected_mean),
            streak=_streak(die),
            faces=faces,
            fair=self._decimal(die.count / die.sides),
        )

    def _tests(self, tests: TestStatistics) -> TestsShown:
        title = say_many(
            "{n} test with dice {origin}, of which the odds of {judged} are known",
            "{n} tests with dice {origin}, of which the odds of {judged} are known",
            tests.tests,
            origin=ORIGINS[tests.origin],
            judged=number(tests.judged),
        )
        outcomes = [
            OutcomeShown(
                OUTCOMES.get(each.outcome, say("No tier")),
                each.count,
                self._decimal(each.expected),
                each.frequency.words,
            )
            for each in tests.outcomes
        ]
        return TestsShown(title, outcomes)

    def _sigma(self, z: float | None) -> str:
        """How many standard deviations; empty where that cannot be said."""
        return "" if z is None else f"{self._decimal(z, SIGNED)} {SIGMA}"

    def _decimal(self, value: float, form: str = "#,##0.##") -> str:
        return str(format_decimal(value, form, locale=self._language))


def _streak(die: DieStatistics) -> Part:
    """The face that fell most often in a row; empty where none fell twice."""
    longest = die.longest_streak
    if longest.length < STREAK_MIN:
        return ""
    return say("{face}, {n} times in a row", n=number(longest.length), face=number(longest.face))
