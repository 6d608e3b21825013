"""The parts that every page of a campaign has."""

from typing import Any, ClassVar

from msgspec import Struct

from domain.ids import AccountId
from domain.rejection import Missing
from domain.sentences import say
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.shared.forms import Form
from services.http.screen.shared.offline_pages import member_mark
from services.http.screen.shared.page_responses import Page
from services.http.screen.shared.screen_build import build
from services.http.screen.shared.time_line import TimeLine
from services.http.screen.shared.visitor import WATCHING
from services.reading.parameters import uuid_or

PLAYED_ON = ("table", "gm", "sheets", "boards")
"""The sections of pages that are played on."""


class ReadAs(Struct, frozen=True):
    """Through whose eyes a GM reads a page, and the campaign's path without them."""

    name: str
    own: str


class Follower(Struct, frozen=True):
    """From where on a page follows a campaign: after an event, and of which build of the screen it is."""

    campaign: str
    seq: int
    build: str
    here: str
    """The address at which the page is asked again."""
    holds_entries: bool
    """A form was refused, whose entries are only on this page: it is not renewed before its reader says so."""


class CampaignPage(Page, frozen=True, kw_only=True):
    """A page of a campaign."""

    may_be_kept: ClassVar[bool] = False
    """Whether a browser may keep it, to be read without a connection."""
    path: str
    """The campaign's."""
    name: str
    """The campaign's."""
    accent: str
    """The system in whose accent it is drawn."""
    is_gm: bool = False
    """Whether it leads to the GMs' page."""
    may_act: bool = False
    """Whether its reader can do more than read."""
    read_as: ReadAs | None = None
    """Set where a GM reads it as a member."""
    time: TimeLine | None = None
    """Set where a page can be read as it was: in the past nothing can be done on it."""
    reads: str = ""
    """The reader's mark in the campaign."""
    follower: Follower | None = None
    """Set where an open page brings what others do by itself: all that is in its `#now`."""

    @property
    def mark(self) -> str:
        """A mark of all the page rests on; empty: it is not kept."""
        return self.reads if self.may_be_kept else ""

    @property
    def acts_in_place(self) -> bool:
        """Whether commands are given on the page, without leaving it."""
        return self.may_act and self.read_as is None and self.section in PLAYED_ON

    @property
    def is_past(self) -> bool:
        """Whether the page shows a moment of the past."""
        return self.time is not None and self.time.is_past


def frame_of(campaign: VisibleCampaign) -> dict[str, Any]:
    """The values with which every page of a campaign is made."""
    return {
        "path": campaign_path(campaign),
        "name": campaign.state.name,
        "accent": accent_of(campaign),
        "is_gm": campaign.role == "gm",
        "may_act": campaign.role != "observer",
        "read_as": None
        if campaign.shown_to is None
        else ReadAs(campaign.name(campaign.account), _own_path(campaign)),
        "reads": member_mark(campaign),
    }


def follower_of(campaign: VisibleCampaign, form: Form, here: str) -> Follower | None:
    """How an open page, whose address is `here`, follows a campaign; None where a GM reads it as a member."""
    if campaign.shown_to is not None:
        return None
    return Follower(str(campaign.campaign_id), campaign.seq, build(), here, holds_entries=bool(form.wrong))


def campaign_path(campaign: VisibleCampaign) -> str:
    """The path of a campaign's home, with which those of all its pages begin.

    A GM who reads as a member goes on doing so from page to page, and so does who watches: only what can be read
    has such a path.
    """
    if campaign.watching_code:
        return f"/watch/{campaign.watching_code}"
    return _own_path(campaign) if campaign.shown_to is None else f"{_own_path(campaign)}/as/{campaign.account}"


def read_paths(page: str) -> list[str]:
    """The paths of a page that a GM can read as a member, too, who is its `Visitor.reads_as`."""
    return [f"/c/{{campaign:str}}{page}", f"/c/{{campaign:str}}/as/{{member:str}}{page}"]


def watched_paths(page: str) -> list[str]:
    """The paths of a page that can also be read by a watching link."""
    return [*read_paths(page), f"/watch/{{{WATCHING}:str}}{page}"]


def _own_path(campaign: VisibleCampaign) -> str:
    return f"/c/{campaign.campaign_id}"


def accent_of(campaign: VisibleCampaign) -> str:
    """The system in whose accent a campaign's pages are drawn; empty: it has none."""
    return str(next(iter(campaign.state.systems), ""))


def member_of(campaign: VisibleCampaign, account: str, *, or_removed: bool = False) -> AccountId:
    """A member by the account in a path, or one that was removed. Refuses `unknown_member`."""
    unknown = Missing(
        "unknown_member", campaign.text_of(say("Nobody with that account is a member of this campaign."))
    )
    member = AccountId(uuid_or(account, unknown))
    if member not in campaign.state.members and not (or_removed and member in campaign.state.removed_members):
        raise unknown
    return member
