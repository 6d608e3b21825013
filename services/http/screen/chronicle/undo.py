"""`/c/{campaign}/a/{seq}/undo`, `/redo` and `/undo-since`: the actions and values that go, and the button."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar, get_args

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Response
from msgspec import Struct, structs

from domain.campaign.messages.undo import RedoAction, UndoAction, UndoSince
from domain.ids import ActionId
from domain.personal_text import FreeText
from domain.rejection import Forbidden, Rejection
from domain.sentences import Part, Sentence, say
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.history.undo import AffectedAction, HistoryRequest, decline_undo, request_undo, undo_or_redo
from services.history.undo_preview import preview
from services.http.middleware.time_limit import takes_long
from services.http.progress_stream import progress_stream, wants_progress
from services.http.route_parameters import checked_key
from services.http.screen.chronicle.chronicle import page_at
from services.http.screen.shared.campaign_page import CampaignPage, frame_of, read_paths
from services.http.screen.shared.changed_values import ChangedThing, InWords
from services.http.screen.shared.chronicle_lines import action_path
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.chronicle import one_action
from services.reading.live_feed import Feeds
from services.reading.parameters import action_of
from services.runtime.event_loop_cost import charged
from services.runtime.progress import SearchProgress

PATIENCE_SECONDS = 1.0
"""How long a page is waited for before it says how far the search is."""
LISTED_MAX = 50
"""Entries of each list of consequences on one page."""
PARTS_MAX = 10_000
NO_REQUEST = ("observers_only_read", "not_your_undo")
"""Refusals where asking a GM would not help."""


PartQuery = Annotated[int, QueryParameter(name="page", ge=1, le=PARTS_MAX)]

Entry = TypeVar("Entry")
Shown = TypeVar("Shown")


class ActionChange(Struct, frozen=True):
    """An action that goes, comes back or stands, and why; `path` is empty for one that is yet to happen."""

    seq: int
    path: str
    sentences: list[str]
    why: Part


class PageOfList(Struct, Generic[Shown], frozen=True):
    """A page of a list of `count` entries, of which `more` follow on other pages."""

    shown: list[Shown]
    count: int
    more: int


class Consequences(Struct, frozen=True):
    """The effects of an undo or redo on other actions, and on values; `fingerprint` stands for the actions."""

    going: PageOfList[ActionChange]
    returning: PageOfList[ActionChange]
    standing: PageOfList[ActionChange]
    staying: PageOfList[ActionChange]
    following: PageOfList[ActionChange]
    changed: PageOfList[ChangedThing]
    fingerprint: str

    @property
    def is_more(self) -> bool:
        """Whether any list goes on."""
        lists = (self.going, self.returning, self.standing, self.staying, self.following, self.changed)
        return any(group.more for group in lists)


Verb = Literal["undo", "redo", "undo-since"]
"""The last part of the address: an action goes, comes back, or all that people did after it goes."""


VERBS: tuple[Verb, ...] = get_args(Verb)


class UndoPage(CampaignPage, frozen=True, kw_only=True):
    """An undo or redo, before it is done; `consequences` is None where it is refused or still searched for.

    `may_ask`: a GM can be asked for it instead.
    """

    template: ClassVar[str] = "undo.html"
    section: ClassVar[str] = "chronicle"
    here: str
    part: int
    action: str
    seq: int
    verb: Verb
    targets: int
    """The actions that go or come back and are not among its consequences."""
    sentences: list[str]
    consequences: Consequences | None
    may_ask: bool
    key: str
    form: Form

    @property
    def title(self) -> Sentence:
        """The page's title: the undo or redo."""
        return TITLES[self.verb](self.seq)

    @property
    def is_undo(self) -> bool:
        """Whether something goes, and does not come back."""
        return self.verb != "redo"

    @property
    def is_since(self) -> bool:
        """Whether it undoes everything that people did after the action."""
        return self.verb == "undo-since"

    @property
    def form_action(self) -> str:
        """Where its form is sent."""
        return self.here

    @property
    def is_searching(self) -> bool:
        """Whether the answer is still being looked for."""
        return self.consequences is None and not self.form.wrong


TITLES: dict[Verb, Callable[[int], Sentence]] = {
    "undo": lambda seq: say("Undo no. {seq}", seq=seq),
    "redo": lambda seq: say("Redo no. {seq}", seq=seq),
    "undo-since": lambda seq: say("Undo all since no. {seq}", seq=seq),
}


class UndoPiece(UndoPage, frozen=True, kw_only=True):
    """The same as a piece of HTML, to be read beside the line that it is about."""

    template: ClassVar[str] = "undo_piece.html"

    @property
    def form_action(self) -> str:
        """Where its form is sent, so that a refusal is such a piece, too."""
        return f"{self.here}?piece=yes"


class UndoForm(FormStruct, frozen=True):
    """How an undo or redo is sent; `shown` stands for the actions that its page showed."""

    shown: str
    reason: FreeText = ""
    key: str = ""


class WhyForm(FormStruct, frozen=True):
    """Why something should be undone, or should not."""

    reason: FreeText = ""


class Correction(Struct, frozen=True):
    """An action that is to be undone or redone, or all since, as a reader sees it; `is_piece`: beside its line.

    `part` is the page of its consequences that is looked at.
    """

    application: Application
    campaign: VisibleCampaign
    action_id: ActionId
    seq: int
    upto: int
    """The last of its seqs."""
    sentences: list[str]
    verb: Verb
    is_piece: bool
    part: int = 1

    def wish(self, reason: str = "") -> HistoryRequest:
        """The undo or redo, with all that depends on it."""
        if self.verb == "undo-since":
            return UndoSince(self.upto, reason=reason or None)
        kind = UndoAction if self.verb == "undo" else RedoAction
        return kind(self.action_id, reason or None, cascade=True)

    async def consequences(self, progress: SearchProgress | None = None) -> Consequences:
        """The effects of an undo or redo. Raises as `preview` does."""
        campaign = self.campaign
        outcome = await preview(self.application, campaign.campaign_id, campaign.account, self.wish(), progress)
        return Consequences(
            going=self._affected(outcome.undone),
            returning=self._affected(outcome.redone),
            standing=self._affected(outcome.affected),
            staying=self._affected(outcome.stays),
            following=self._listed(
                outcome.follows, lambda action: ActionChange(action.seq, "", action.summary, "")
            ),
            changed=self._listed(
                InWords(campaign, outcome.names, rewritten=True).all(outcome.changes), lambda change: change
            ),
            fingerprint=outcome.shown,
        )

    def _affected(self, actions: Sequence[AffectedAction]) -> PageOfList[ActionChange]:
        """The other ones of some actions."""
        others = [action for action in actions if action.action_id != self.action_id]
        return self._listed(
            others,
            lambda action: ActionChange(
                action.seq, action_path(self.campaign, action.seq), action.summary, _why(action)
            ),
        )

    def _listed(self, entries: Sequence[Entry], tell: Callable[[Entry], Shown]) -> PageOfList[Shown]:
        upto = self.part * LISTED_MAX
        rows = [tell(entry) for entry in entries[upto - LISTED_MAX : upto]]
        return PageOfList(rows, len(entries), max(0, len(entries) - upto))

    def page(self, consequences: Consequences | None, form: Form, *, may_ask: bool = False) -> UndoPage:
        """The page that shows it."""
        path = action_path(self.campaign, self.seq)
        kind = UndoPiece if self.is_piece else UndoPage
        return kind(
            **frame_of(self.campaign),
            here=f"{path}/{self.verb}",
            part=self.part,
            action=path,
            seq=self.seq,
            verb=self.verb,
            targets=0 if self.verb == "undo-since" else 1,
            sentences=self.sentences,
            consequences=consequences,
            may_ask=may_ask,
            key=str(self.application.entropy.new_id()),
            form=form,
        )

    async def searched(self, form: Form, progress: SearchProgress | None = None) -> UndoPage:
        """The page with what would happen, or with why it cannot."""
        try:
            return self.page(await self.consequences(progress), form)
        except Rejection as refusal:
            asks = self.verb == "undo" and isinstance(refusal, Forbidden) and refusal.code not in NO_REQUEST
            faulty_form = form if form.wrong[""] else form.with_fault("", told_refusal(refusal))
            return self.page(None, faulty_form, may_ask=asks)


def _why(affected: AffectedAction) -> Part:
    match affected.because:
        case "depends":
            return affected.refusal or say("It rests on what goes.")
        case "caused":
            return say("It happened because of it, by itself.")
        case _:
            return ""


async def _rewrite(correction: Correction, form: Form, progress: SearchProgress) -> bytes:
    """Undo or redo what was shown. Refuses `confirm_cascade` where that has become other actions."""
    fields, campaign = UndoForm.parse(form), correction.campaign
    wish, key = correction.wish(fields.reason), checked_key(fields.key or None)
    return await undo_or_redo(
        correction.application,
        campaign.campaign_id,
        campaign.account,
        wish,
        key,
        progress,
        expected_fingerprint=fields.shown,
    )


async def _ask(correction: Correction, form: Form, _: SearchProgress) -> bytes:
    reason, campaign = WhyForm.parse(form).reason or None, correction.campaign
    return await request_undo(
        correction.application, campaign.campaign_id, campaign.account, correction.action_id, reason
    )


async def _decline(correction: Correction, form: Form, _: SearchProgress) -> bytes:
    reason, campaign = WhyForm.parse(form).reason or None, correction.campaign
    return await decline_undo(
        correction.application, campaign.campaign_id, campaign.account, correction.action_id, reason
    )


Act = Callable[[Correction, Form, SearchProgress], Awaitable[bytes]]
"""Does what a form asks for; how far its search is goes into the progress."""

ACTS: dict[str, Act] = {
    "undo": _rewrite,
    "redo": _rewrite,
    "undo-since": _rewrite,
    "undo-request": _ask,
    "decline-undo": _decline,
}
"""The work of each form about an action, by the last part of its address."""


@get([path for verb in VERBS for path in read_paths(f"/a/{{seq:int}}/{verb}")], guards=[takes_long])
async def correction_page(
    visit: NamedDependency[Visit], feeds: NamedDependency[Feeds], seq: FromPath[int], part: PartQuery = 1
) -> Response[Any]:
    """Show the actions that go or come back with this one, and the changes."""
    correction = await _correction(visit, seq)
    correction = structs.replace(correction, part=part)
    return await _looked_at(visit, correction, feeds)


@post([f"/c/{{campaign:str}}/a/{{seq:int}}/{act}" for act in ACTS], guards=[takes_long])
async def correct(
    visit: NamedDependency[Visit], feeds: NamedDependency[Feeds], seq: FromPath[int]
) -> Response[Any]:
    """Undo or redo an action, ask a GM for an undo, or decline that; the member who asked takes it back so."""
    act = ACTS[_last_part(visit)]
    correction = await _correction(visit, seq)
    form = await read_form(visit.request)

    async def work(progress: SearchProgress) -> Response[Any]:
        answer = await _carry_out(visit, correction, form, act, progress)
        path = answer.headers.get("Location")
        return Response(answer.content.decode() if path is None else {"at": path})

    if wants_progress(visit.request):
        return progress_stream(visit.request, work, feeds.pace.progress_seconds)
    return await _carry_out(visit, correction, form, act, SearchProgress())


@get("/c/{campaign:str}/undo/{action:str}")
async def undo_of(visit: NamedDependency[Visit], action: FromPath[str]) -> Response[bytes]:
    """The way from an action's id, as an undo request names it, to its undo."""
    visible = await open_campaign(visit)
    entry, _ = await one_action(visit.application.log, visible, action_of(action))
    return see_other(f"{action_path(visible, entry.seq)}/undo")


def _last_part(visit: Visit) -> str:
    """The last part of the page's address, which says what is asked for."""
    return visit.request.url.path.rpartition("/")[2]


async def _correction(visit: Visit, seq: int) -> Correction:
    """The action to undo or redo: the one that an event belongs to. Raises `NotFoundException`."""
    last_part = _last_part(visit)
    verb = next((verb for verb in VERBS if verb == last_part), VERBS[0])
    visible = await open_campaign(visit)
    [entry] = (await page_at(visit.application, visible, seq)).actions
    is_piece = "piece" in visit.request.query_params
    return Correction(
        visit.application,
        visible,
        entry.action_id,
        entry.seq,
        entry.last_seq,
        entry.summary,
        verb,
        is_piece,
    )


async def _looked_at(visit: Visit, correction: Correction, feeds: Feeds) -> Response[Any]:
    """The page when its search is over; where that takes long, how far it is."""

    async def work(progress: SearchProgress) -> Response[Any]:
        page = show_page(visit, await correction.searched(Form(), progress))
        return Response(page.content.decode())

    if wants_progress(visit.request):
        return progress_stream(visit.request, work, feeds.pace.progress_seconds)
    searching = asyncio.ensure_future(charged(correction.searched(Form())))
    try:
        patience = None if "wait" in visit.request.query_params else PATIENCE_SECONDS
        await asyncio.wait({searching}, timeout=patience)
        page = searching.result() if searching.done() else correction.page(None, Form())
        return show_page(visit, page)
    finally:
        searching.cancel()


async def _carry_out(
    visit: Visit, correction: Correction, form: Form, act: Act, progress: SearchProgress
) -> Response[bytes]:
    """Go back to the action when it is done; else the page again, with what was entered."""
    campaign = correction.campaign
    await correction.application.rates.act(campaign.campaign_id, campaign.account)
    try:
        await act(correction, form, progress)
    except Unfit as unfit:
        page = await correction.searched(unfit.form, progress)
    except REFUSALS as refusal:
        page = await correction.searched(form.with_fault("", told_refusal(refusal)), progress)
    else:
        return see_other(action_path(campaign, correction.seq))
    return show_page(visit, page, REFUSED)
