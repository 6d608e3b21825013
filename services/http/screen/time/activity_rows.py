"""Activities of downtime in words, with what can be done about each."""

from msgspec import Struct, structs

from domain.campaign.messages.downtime import PlanActivity
from domain.campaign.play.characters import characters
from domain.sentences import Part, Sentence, say
from projections.campaign.downtime import ActivityView
from projections.campaign.downtime_lanes import standing
from projections.campaign_words.narration import in_words, span
from projections.narration_tables import currency_name
from projections.titles import value_title
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.commands.one_click_button import Press, press
from services.http.screen.commands.play_table import PlayTable
from services.http.screen.shared.page_responses import Link
from services.http.screen.time.timer_lines import refusal_of

APPROVE, MEET = "campaign.approve_activity", "campaign.meet_requirement"


class Need(Struct, frozen=True):
    """The need of an activity, and the button that says that it is met; None: not for this reader."""

    what: str
    press: Press | None


class ActivityRow(Struct, frozen=True):
    """An activity in words: its character, its state, its needs and costs, and its buttons.

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
        self._campaign = table.campaign
        self._back = back
        self._may_act = may_act
        self._is_gm = may_act and table.campaign.role == "gm"

    async def row(self, activity: ActivityView) -> ActivityRow:
        """An activity, with what its reader can do about it."""
        refusal = await self._refusal(activity) if self._is_gm and activity.state == "planned" else ""
        may_approve = self._is_gm and activity.state == "planned" and not refusal
        return ActivityRow(
            who=activity.character_name,
            title=activity.title,
            kind=value_title(PlanActivity, "kind", activity.kind),
            state=activity.state,
            told=standing(structs.replace(activity, needs=[]) if activity.state == "running" else activity),
            takes=span(activity.takes_seconds),
            left=activity.remaining if activity.state == "running" else "",
            needs=[self._need(activity, what) for what in activity.needs],
            money=money_of(self._campaign, activity),
            approve=self._approve(activity) if may_approve else None,
            refused=refusal,
            end=self._end(activity) if self._may_act and may_stop(self._campaign, activity) else None,
            is_secret=is_secret(self._campaign, activity.activity),
        )

    async def _refusal(self, activity: ActivityView) -> str:
        """Why a plan cannot be approved now."""
        with self._campaign.refusing():
            command = {"type": APPROVE, "activity": activity.activity}
            return refusal_of(await self._table.application.possible.one(self._campaign, command))

    def _approve(self, activity: ActivityView) -> Press:
        label = say("Approve: {plan}", plan=activity.title)
        return self._press(
            activity, say("Approve"), APPROVE, {"activity": activity.activity}, activity.activity, label
        )

    def _need(self, activity: ActivityView, what: str) -> Need:
        if not self._is_gm:
            return Need(what, None)
        about = f"{activity.activity}-{list(activity.needs).index(what)}"
        label = say("It is there: {what}", what=what)
        values = {"activity": activity.activity, "requirement": what}
        return Need(what, self._press(activity, say("It is there"), MEET, values, about, label))

    def _press(
        self,
        activity: ActivityView,
        title: Sentence,
        command: str,
        values: dict[str, str],
        about: str,
        label: Sentence,
    ) -> Press:
        """A button; a command about a secret activity is secret, too."""
        readers = "gm" if is_secret(self._campaign, activity.activity) else "all"
        return press(self._table, self._back, title, command, values, visibility=readers, about=about, label=label)

    def _end(self, activity: ActivityView) -> Link:
        title = end_title(self._campaign, activity)
        label = self._campaign.text_of(say("{what}: {activity}", what=title, activity=activity.title))
        return Link(f"{self._table.path}/downtime/{activity.activity}/end", self._campaign.text_of(title), label)


def end_title(campaign: VisibleCampaign, activity: ActivityView) -> Sentence:
    """The word for ending an activity before it is done."""
    if activity.state != "planned":
        return say("End it early")
    return say("Turn it down") if player_of(campaign, activity) != campaign.account else say("Drop the plan")


def player_of(campaign: VisibleCampaign, activity: ActivityView) -> object:
    """The player of an activity's character; None: a GM."""
    return next(
        (
            character.player
            for character in characters(campaign.state)
            if character.character == activity.character
        ),
        None,
    )


def may_stop(campaign: VisibleCampaign, activity: ActivityView) -> bool:
    """Whether a reader may end an activity: a GM any, others those of their characters."""
    return campaign.state.archived_at is None and (
        campaign.role == "gm" or player_of(campaign, activity) == campaign.account
    )


def is_secret(campaign: VisibleCampaign, activity: str) -> bool:
    """Whether the table does not know of an activity."""
    return campaign.common is not None and activity not in campaign.common.activities


def money_of(campaign: VisibleCampaign, activity: ActivityView) -> list[Sentence]:
    """The costs and gains of an activity."""
    if activity.account is None or activity.currency is None:
        return []
    account, currency = in_words(activity.account, campaign.name), currency_name(activity.currency, campaign.name)
    sentences = []
    if activity.price:
        sentences.append(
            say(
                "costs {amount} {currency} from {account}",
                amount=activity.price,
                currency=currency,
                account=account,
            )
        )
    if activity.earns:
        sentences.append(
            say(
                "earns {amount} {currency} for {account}",
                amount=activity.earns,
                currency=currency,
                account=account,
            )
        )
    return sentences
