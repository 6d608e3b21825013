"""Refusals as pages: the status and sentence that the API has for them, and where to go from there."""

import re
from typing import Any, ClassVar
from urllib.parse import parse_qsl, quote, urlencode

import msgspec
from litestar import Request
from litestar.exceptions import ClientException
from litestar.response import Response

from domain.rejection import Rejection
from domain.sentences import Part, Sentence, in_a_row, say
from services.accounts.invites import WATCHING_PREFIX
from services.application import Application
from services.errors import BROKEN, BadQuery
from services.http.problems import problem_response
from services.http.request_faults import of_request
from services.http.screen.shared.forms import SECRETS, Unfit
from services.http.screen.shared.page_responses import REFUSED, Page, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal, told_text
from services.http.screen.shared.visitor import SignInFirst, Visit, Visitor

IN_CAMPAIGN = re.compile(r"/c/[0-9a-f-]{36}(?=/|$)")
WATCHED = re.compile(rf"/watch/{WATCHING_PREFIX}[A-Za-z0-9_-]+(?=/|$)")
MISSING = (404, 405)
"""No page, or one that only takes forms: so a browser is told that comes back to the address of one."""
SIGNED_OUT = 401
FOR_NOW = (429, 500, 503)
"""Statuses that pass: the same may be asked again."""
IN_ADDRESSES = {
    ("at",): say(
        "After “at=” an address has the number of an action, a date and a time with its offset "
        "(2026-11-21T20:15:00Z), or a day of the campaign's calendar (2187-2-28)."
    ),
    ("day", "month", "year"): say("Enter the day, the month and the year of the date."),
    ("before",): say("After “before=” an address has the number of an action."),
    ("after",): say("After “after=” an address has the number of an action."),
}
"""The possible values of the parameters of pages."""
MALFORMED = 400
NOTHING_DONE = say(
    "You are not signed in any more, and nothing was done. Sign in in another tab; then load this page again, and "
    "your browser sends once more what you entered."
)

BY_STATUS: dict[int, Sentence] = dict.fromkeys(
    MISSING, say("The link may be old, or it may lead to something that you cannot see.")
) | {
    400: say("The browser sent something that cannot be read here."),
    408: say("What the browser sent did not come in time. Try again: nothing was done."),
    431: say("The browser sent more beside its request than the service takes: delete the cookies of this page."),
    413: say("That is more than the service takes at once. Go back: what you entered is still there."),
    429: say("Too many connections are open from where you are. Close some, or try again in a moment."),
    500: BROKEN,
    503: say("The service cannot answer now. Try again in a moment: nothing was lost."),
}


class WrongPart(msgspec.Struct, frozen=True):
    """A fault of a request; the parameter that it is in, if it is in one."""

    parameter: str = ""


class ProblemBody(msgspec.Struct, frozen=True):
    """The values that a page shows of a problem."""

    status: int
    code: str
    detail: str
    errors: list[WrongPart] = []


class Again(msgspec.Struct, frozen=True):
    """The refused request, to send it again: its address, and the form's entries; None: no form was sent."""

    path: str
    entries: list[tuple[str, str]] | None


class ProblemPage(Page, frozen=True):
    """A refusal, in the place of the page that was asked for. With `again`, nothing that was entered is lost.

    `path` is that of the campaign that it is a page of, empty for none.
    """

    template: ClassVar[str] = "problem.html"
    accent: ClassVar[str] = ""
    name: ClassVar[str] = ""
    is_gm: ClassVar[bool] = False
    acts_in_place: ClassVar[bool] = False
    read_as: ClassVar[None] = None
    follower: ClassVar[None] = None
    time: ClassVar[None] = None
    status: int
    detail: Part
    again: Again | None = None
    path: str = ""
    instead: str = ""
    """The address of the nearest day, where there is no day such as was asked for."""
    table: str = ""
    """The address of the table that is watched by a link; empty where the page was not asked for by one."""

    @property
    def title(self) -> Sentence:
        """The kind of refusal."""
        return say("There is no such page") if self.status in MISSING else say("That did not work")


def page_of_problem(request: Request[Any, Any, Any], failure: Exception) -> Response[bytes]:
    """A failure as a page, by the API's table of problems; a stranger may be asked to sign in."""
    application: Application = request.app.state.application
    if isinstance(failure, SignInFirst):
        if request.method != "POST":
            return see_other(f"/sign-in?next={quote(_address(request), safe='/')}")
        return show_page(Visit(application, request, Visitor()), ProblemPage(SIGNED_OUT, NOTHING_DONE), SIGNED_OUT)
    # There is no visitor where no page was found.
    visit = Visit(application, request, request.state.get("visitor", Visitor()))
    if isinstance(failure, Unfit):  # a choice that its page does not offer
        return show_page(visit, ProblemPage(REFUSED, say("That cannot be taken.")), REFUSED)
    if isinstance(failure, ClientException):
        problem = of_request(request, failure)
    else:
        problem = problem_response(request, failure)
    body = msgspec.json.decode(problem.content, type=ProblemBody)
    again = _again(request) if body.status in FOR_NOW else None
    campaign = _campaign(visit, body)
    detail = _detail(request, failure, body)
    table = _watched_table(request, body)
    problem_page = ProblemPage(body.status, detail, again, campaign, _nearest(request, failure), table)
    page = show_page(visit, problem_page, body.status)
    page.headers.update({name: value for name, value in problem.headers.items() if name == "Retry-After"})
    return page


def _nearest(request: Request[Any, Any, Any], failure: Exception) -> str:
    """The same page on the nearest day, where its address asked for one that there is not."""
    nearest = failure.details.get("nearest") if isinstance(failure, Rejection) else None
    if nearest is None or "day" not in request.query_params:
        return ""
    parameters = dict(request.query_params) | {name: nearest[name] for name in ("year", "month", "day")}
    return f"{request.url.path}?{urlencode(parameters)}"


def _address(request: Request[Any, Any, Any]) -> str:
    """The path that was asked for, with its query."""
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path


def _again(request: Request[Any, Any, Any]) -> Again | None:
    """The same once more; None where a password would have to be sent back."""
    if request.method != "POST":
        return Again(_address(request), None)
    body: bytes | None = request.state.get("sent")
    entries = parse_qsl((body or b"").decode("utf-8", "replace"), keep_blank_values=True)
    if body is None or any(name in SECRETS for name, _ in entries):
        return None
    return Again(_address(request), entries)


def _campaign(visit: Visit, body: ProblemBody) -> str:
    """The path of the campaign whose page was asked for, unless the reader may not know of it."""
    match = IN_CAMPAIGN.match(visit.request.url.path)
    is_known = visit.visitor.principal is not None and body.code != "campaign_not_found"
    return match[0] if match and is_known else ""


def _watched_table(request: Request[Any, Any, Any], body: ProblemBody) -> str:
    """The table by the watching link with which a page was asked for; empty if it is the link that fails."""
    match = WATCHED.match(request.url.path)
    return f"{match[0]}/table" if match and body.code != "watching_link_not_found" else ""


def _detail(request: Request[Any, Any, Any], failure: Exception, body: ProblemBody) -> Part:
    """The refusal's own sentence, else one by its status: others are in English, for programs."""
    if isinstance(failure, REFUSALS):
        return told_refusal(failure)
    if isinstance(failure, BadQuery):
        return told_text(failure.message)
    faulty = [IN_ADDRESSES.get((fault.parameter,)) for fault in body.errors if fault.parameter]
    parameters = request.query_params.keys()
    wrong = [sentence for names, sentence in IN_ADDRESSES.items() if not parameters.isdisjoint(names)]
    if faulty:
        return body.detail if None in faulty else in_a_row([*filter(None, faulty)], " ")
    if body.status == MALFORMED and wrong:
        return in_a_row(wrong, " ")
    return BY_STATUS.get(body.status, BY_STATUS[MALFORMED])
