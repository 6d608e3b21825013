"""`/c/{campaign}/luck`: everyone's dice beside those that fair dice would have been."""

from typing import ClassVar

from babel.numbers import format_decimal
from litestar import get
from litestar.di import NamedDependency
from litestar.response import Response
from markupsafe import Markup
from msgspec import Struct, structs

from domain.dice import Origin
from domain.sentences import Part, Sentence, number, say, say_many
from projections.campaign.calendar_month import month_around, title_of
from projections.campaign.dates import month_names
from projections.drawings.luck import SIGMA, LuckOfDice, histogram, scale
from projections.statistics.roll_statistics import DieStatistics, PersonStatistics, TestStatistics
from projections.systems import SYSTEM_VIEWS
from projections.titles import words_in
from services.campaign.visible_campaign import VisibleCampaign
from services.http.middleware.time_limit import takes_long
from services.http.screen.shared.campaign_page import CampaignPage, frame_of, watched_paths
from services.http.screen.shared.chronicle_lines import OUTCOMES
from services.http.screen.shared.month_form import MonthChoice, month_entry
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.event_scan import folded_from
from services.reading.parameters import number_after
from services.reading.play_session import session_span
from services.reading.roll_counts import as_of_month, rolls_counted
from services.runtime.reader_language import reader_language

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
    """Luck in a play session, in a month of the campaign's calendar, or in the whole campaign."""

    template: ClassVar[str] = "luck.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "home"
    session: int | None
    """None: a month, or the whole campaign."""
    month: str
    """The month whose dice are counted; empty: it is none."""
    choice: MonthChoice | None
    """None: time has not moved in the campaign."""
    begun: int
    """How many sessions there were."""
    since: int
    """The number of the event from which on rolls are counted; 0: from the first."""
    drawing: Markup
    rows: list[LuckRow]
    good_dice: list[Sentence]
    """Says of the systems that are played here which of their dice are good when they are low."""
    dice: list[DieShown]
    people: list[PersonShown]

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Luck")


@get(watched_paths("/luck"), guards=[takes_long])
async def luck(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The dice that the reader may see; with `?session=` those of one play session, with `?year=` of a month."""
    visible = await open_campaign(visit)
    sessions_played = visible.state.sessions_played
    session = number_after("session", visit.request.query_params.get("session", ""))
    counted, after, window = visible, 0, None
    entry = month_entry(visit.request.query_params)
    with visible.refusing():
        span = month_around(visible.state, entry.year, entry.month)
    if entry.names_month:
        session, window = None, span.window
        counted = await as_of_month(visit.application, visible, span)
    if session is not None:
        first, last = await session_span(visit.application.log, visit.application.views, visible, session)
        counted, after = structs.replace(visible, seq=last), first - 1
    tally = await rolls_counted(visit.application, counted, after, window)
    statistics = tally.statistics(visible.seq, after, visible.name, visible.text_of)
    everyone = tally.everyone(visible.text_of)
    telling = _Telling(visible)
    all_of_them = visible.text_of(say("Everyone"))
    lucks = [(all_of_them, everyone.luck), *((person.name, person.luck) for person in statistics.people)]
    strayed = [
        LuckOfDice(name, origin, statistic.rolls, statistic.z, statistic.words)
        for name, luck in lucks
        for origin, statistic in luck.items()
    ]
    page = LuckPage(
        **frame_of(visible),
        session=session,
        month=title_of(span, visible.language) if entry.names_month else "",
        choice=MonthChoice(
            entry.text if entry.wrong else span.place.year,
            span.place.month,
            month_names(visible.language, span.calendar.shape),
            entry.wrong,
        )
        if visible.state.game_time or entry.wrong
        else None,
        begun=sessions_played,
        since=0 if session is not None else folded_from(counted),
        drawing=telling.scale(strayed),
        rows=[telling.row(deviation) for deviation in strayed],
        good_dice=[
            words for system in visible.state.systems if (words := SYSTEM_VIEWS[system].good_dice) is not None
        ],
        dice=[telling.die(die) for die in everyone.dice if die.faces is not None],
        people=[telling.person(person) for person in statistics.people],
    )
    return show_page(visit, page, entry.status)


class _Telling:
    """Tells statistics to one reader."""

    def __init__(self, campaign: VisibleCampaign) -> None:
        self._language = reader_language() or campaign.language
        self._words = words_in(self._language)

    def row(self, deviation: LuckOfDice) -> LuckRow:
        return LuckRow(
            deviation.name, ORIGINS[deviation.origin], deviation.rolls, self._sigma(deviation.z), deviation.text
        )

    def scale(self, strayed: list[LuckOfDice]) -> Markup:
        title = self._words.say(say("How far dice strayed from fair ones"))
        text = "; ".join(f"{deviation.name}: {deviation.text}" for deviation in strayed)
        return Markup(scale(title, text, strayed, self._words) if strayed else "")  # noqa: S704 — escaped where it is drawn

    def person(self, person: PersonStatistics) -> PersonShown:
        dice = [self.die(die) for die in person.dice if die.faces is not None]
        return PersonShown(person.name, dice, [self._tests(test) for test in person.tests])

    def die(self, die: DieStatistics) -> DieShown:
        faces = die.faces or []
        title = say("d{sides} {origin}", sides=die.sides, origin=ORIGINS[die.origin])
        text = self._words.say(
            say("Height: {height}. Faces: {evenness}.", height=die.height.words, evenness=die.evenness.words)
        )
        return DieShown(
            title=title,
            drawing=Markup(histogram(self._words.say(title), text, faces)),  # noqa: S704 — escaped where it is drawn
            told=text,
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
                OUTCOMES.get(outcome.outcome, say("No tier")),
                outcome.count,
                self._decimal(outcome.expected),
                outcome.frequency.words,
            )
            for outcome in tests.outcomes
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
