"""Activities of downtime in words, with what can be done about each."""

from msgspec import Struct, structs

from domain.campaign.messages.downtime import PlanActivity
from domain.campaign.play.characters import characters
from domain.sentences import Part, Sentence, say, term
from projections.campaign.downtime import ActivityView
from projections.campaign.downtime_lanes import standing
from projections.campaign_words.narration import in_words, span
from projections.words import value_title
from services.queries.campaign_reader import VisibleCampaign
from services.web.answers import Link
from services.web.play_table import PlayTable
from services.web.press import Press, press
from services.web.timer_lines import refusal_of

APPROVE, MEET = "campaign.approve_activity", "campaign.meet_requirement"


class Need(Struct, frozen=True):
    """What an activity still needs, and the button that says that it is there; None: not for this reader."""

    what: str
    press: Press | None


class ActivityRow(Struct, frozen=True):
    """An activity in words: who, what, how it stands, what it needs and costs, and what can be done about it.

    `refused` says why it cannot be approved now; `end` is the page on which it is ended early or turned down.
    """

    who: str
    title: str
    kind: Part
    state: str
    told: Sentence
    takes: Sentence
    left: str
    needs: list[Need]
    money: list[Sentence]
    approve: Press | None
    refused: str
    end: Link | None
    is_secret: bool


class ActivityRows:
    """Puts activities into words for the page at `back`. `may_act`: its reader can do something about them."""

    def __init__(self, table: PlayTable, back: str, *, may_act: bool) -> None:
        self._table = table
        self._seen = table.seen
        self._back = back
        self._may_act = may_act
        self._is_gm = may_act and table.seen.role == "gm"

    async def row(self, each: ActivityView) -> ActivityRow:
        """An activity, with what its reader can do about it."""
        refused = await self._refusal(each) if self._is_gm and each.state == "planned" else ""
        may_approve = self._is_gm and each.state == "planned" and not refused
        return ActivityRow(
            who=each.character_name,
            title=each.title,
            kind=value_title(PlanActivity, "kind", each.kind),
            state=each.state,
            told=standing(structs.replace(each, needs=[]) if each.state == "running" else each),
            takes=span(each.takes_seconds),
            left=each.remaining if each.state == "running" else "",
            needs=[self._need(each, what) for what in each.needs],
            money=money_of(self._seen, each),
            approve=self._approve(each) if may_approve else None,
            refused=refused,
            end=self._end(each) if self._may_act and may_stop(self._seen, each) else None,
            is_secret=is_secret(self._seen, each.activity),
        )

    async def _refusal(self, each: ActivityView) -> str:
        """Why a plan cannot be approved now."""
        with self._seen.refusing():
            said = {"type": APPROVE, "activity": each.activity}
            return refusal_of(await self._table.application.possible.one(self._seen, said))

    def _approve(self, each: ActivityView) -> Press:
        label = say("Approve: {plan}", plan=each.title)
        return self._press(each, say("Approve"), APPROVE, {"activity": each.activity}, each.activity, label)

    def _need(self, each: ActivityView, what: str) -> Need:
        if not self._is_gm:
            return Need(what, None)
        about = f"{each.activity}-{list(each.needs).index(what)}"
        label = say("It is there: {what}", what=what)
        said = {"activity": each.activity, "requirement": what}
        return Need(what, self._press(each, say("It is there"), MEET, said, about, label))

    def _press(
        self, each: ActivityView, title: Sentence, command: str, said: dict[str, str], about: str, label: Sentence
    ) -> Press:
        """A button; what the table does not know of stays so."""
        readers = "gm" if is_secret(self._seen, each.activity) else "all"
        return press(self._table, self._back, title, command, said, visibility=readers, about=about, label=label)

    def _end(self, each: ActivityView) -> Link:
        title = end_title(self._seen, each)
        label = self._seen.told(say("{what}: {activity}", what=title, activity=each.title))
        return Link(f"{self._table.path}/downtime/{each.activity}/end", self._seen.told(title), label)


def end_title(seen: VisibleCampaign, each: ActivityView) -> Sentence:
    """What it is called to end an activity before it is done."""
    if each.state != "planned":
        return say("End it early")
    return say("Turn it down") if player_of(seen, each) != seen.account else say("Drop the plan")


def player_of(seen: VisibleCampaign, each: ActivityView) -> object:
    """Who plays the character of an activity; None: a GM."""
    return next((known.player for known in characters(seen.state) if known.character == each.character), None)


def may_stop(seen: VisibleCampaign, each: ActivityView) -> bool:
    """Whether a reader may end an activity: a GM any, others those of their characters."""
    return seen.state.archived_at is None and (seen.role == "gm" or player_of(seen, each) == seen.account)


def is_secret(seen: VisibleCampaign, activity: str) -> bool:
    """Whether the table does not know of an activity."""
    return seen.common is not None and activity not in seen.common.activities


def money_of(seen: VisibleCampaign, each: ActivityView) -> list[Sentence]:
    """What an activity costs and earns."""
    if each.account is None or each.currency is None:
        return []
    account, currency = in_words(each.account, seen.name), term(each.currency)
    found = []
    if each.price:
        found.append(
            say("costs {amount} {currency} from {account}", amount=each.price, currency=currency, account=account)
        )
    if each.earns:
        found.append(
            say("earns {amount} {currency} for {account}", amount=each.earns, currency=currency, account=account)
        )
    return found
