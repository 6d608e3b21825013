"""What every page of a campaign has."""

from typing import Any, ClassVar

from msgspec import Struct

from domain.ids import AccountId
from domain.rejection import Missing
from domain.sentences import say
from services.api.paths import campaign_of, uuid_or
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.runtime.reader_language import prefer, reader_language
from services.web.answers import Page
from services.web.kept_pages import member_mark
from services.web.time_line import TimeLine
from services.web.visitor import Visitor


class ReadAs(Struct, frozen=True):
    """Through whose eyes a GM reads a page, and the campaign's path without them."""

    name: str
    own: str


class CampaignPage(Page, frozen=True, kw_only=True):
    """A page of a campaign: the campaign's `path` and `name`, and the system in whose accent it is drawn.

    `is_gm` is whether it leads to the GMs' page, and `may_act` whether its reader can do more than read; `read_as`
    is set where a GM reads it as a member. `time` is set where a page can be read as it was: in the past nothing
    can be done on it. `reads` is the reader's mark in it.
    """

    may_be_kept: ClassVar[bool] = False
    """Whether a browser may keep it, to be read without a connection."""
    path: str
    name: str
    accent: str
    is_gm: bool = False
    may_act: bool = False
    read_as: ReadAs | None = None
    time: TimeLine | None = None
    reads: str = ""

    @property
    def mark(self) -> str:
        """What the page rests on; empty: it is not kept."""
        return self.reads if self.may_be_kept else ""

    @property
    def is_past(self) -> bool:
        """Whether the page shows a moment of the past."""
        return self.time is not None and self.time.is_past


def frame_of(seen: VisibleCampaign) -> dict[str, Any]:
    """What every page of a campaign is made with."""
    return {
        "path": campaign_path(seen),
        "name": seen.state.name,
        "accent": accent_of(seen),
        "is_gm": seen.role == "gm",
        "may_act": seen.role != "observer",
        "read_as": None if seen.shown_to is None else ReadAs(seen.name(seen.account), _own_path(seen)),
        "reads": member_mark(seen),
    }


def campaign_path(seen: VisibleCampaign) -> str:
    """The path of a campaign's home, with which those of all its pages begin.

    A GM who reads as a member goes on doing so from page to page: only what can be read has such a path.
    """
    return _own_path(seen) if seen.shown_to is None else f"{_own_path(seen)}/as/{seen.account}"


def read_paths(page: str) -> list[str]:
    """The paths of a page that a GM can read as a member, too, who is its `Visitor.reads_as`."""
    return [f"/c/{{campaign:str}}{page}", f"/c/{{campaign:str}}/as/{{member:str}}{page}"]


def _own_path(seen: VisibleCampaign) -> str:
    return f"/c/{seen.campaign_id}"


def accent_of(seen: VisibleCampaign) -> str:
    """The system in whose accent a campaign's pages are drawn; empty: it has none."""
    return str(next(iter(seen.state.systems), ""))


async def seen_by(application: Application, visitor: Visitor, campaign: str) -> VisibleCampaign:
    """The campaign as the visitor may see it; the page is in its language unless the reader has one.

    Raises `SignInFirst`, and refuses `campaign_not_found`.
    """
    account = visitor.signed_in.account_id
    seen = await application.campaigns.see(campaign_of(campaign), account, as_member=visitor.reads_as)
    if reader_language() is None:
        prefer(seen.language)
    return seen


def member_of(seen: VisibleCampaign, account: str, *, or_removed: bool = False) -> AccountId:
    """A member by the account in a path, or one that was removed. Refuses `unknown_member`."""
    unknown = Missing("unknown_member", seen.told(say("Nobody with that account is a member of this campaign.")))
    member = AccountId(uuid_or(account, unknown))
    if member not in seen.state.members and not (or_removed and member in seen.state.removed_members):
        raise unknown
    return member
