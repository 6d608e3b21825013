"""`/c/{campaign}/build/{system}`: a character on one page, made by one action; `/fight` and `/catalogue` too."""

from urllib.parse import parse_qsl

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from domain.campaign.command_request import Together
from domain.rejection import Rejection
from services.commands.submit import done_before
from services.errors import unknown_value
from services.history.submit import submit
from services.http.middleware.read_queue import as_read
from services.http.problems import STATUS_BY_KIND
from services.http.route_parameters import KeyHeader, checked_key
from services.http.screen.builders.builder_entries import rearranged_rows
from services.http.screen.builders.builder_page import CLEAR, COPY, LIKE, PRESET, BuilderForm
from services.http.screen.commands.commands import ACT, MALFORMED, path_after, path_of_done
from services.http.screen.commands.form_entries import ENTRIES_MAX, FormEntries, sent_entries
from services.http.screen.commands.play_table import play_table
from services.http.screen.shared.page_responses import see_other, show_page
from services.http.screen.shared.visitor import Visit


@get(["/c/{campaign:str}/build/{system:str}", "/c/{campaign:str}/build/{system:str}/{product:str}"])
async def builder_page(
    visit: NamedDependency[Visit], system: FromPath[str], product: FromPath[str] = "character"
) -> Response[bytes]:
    """The builder of a game: empty, or with what the query says (`preset`, `like` a character) filled in.

    Refuses `unknown_value`.
    """
    table = await play_table(visit)
    await visit.application.rates.act(table.campaign.campaign_id, table.campaign.account)
    entries = parse_qsl(visit.request.url.query, keep_blank_values=True)[:ENTRIES_MAX]
    form = BuilderForm(table, system, product, entries, is_sent=False)
    for parameter, what in ((PRESET, PRESET), (LIKE, COPY)):
        value = form.inputs.last(parameter)
        if not form.fill(what, value) and value:
            raise unknown_value(parameter, value)
    return show_page(visit, await form.page())


@post(["/c/{campaign:str}/build/{system:str}", "/c/{campaign:str}/build/{system:str}/{product:str}"])
async def builder_sent(
    visit: NamedDependency[Visit],
    system: FromPath[str],
    product: FromPath[str] = "character",
    key: KeyHeader = None,
) -> Response[bytes]:
    """Make it and go back to where the builder was linked; or show the form again, otherwise filled in.

    A form that was sent before does nothing again, and is told so.
    """
    table = await play_table(visit)
    campaign = table.campaign
    entries = sent_entries(await visit.request.body())
    do, _, value = FormEntries(entries).last("do").partition(":")
    form = BuilderForm(
        table, system, product, rearranged_rows(entries, FormEntries(entries).last("do")), is_sent=True
    )
    if do != ACT:
        await visit.application.rates.act(campaign.campaign_id, campaign.account)
        if do in (PRESET, COPY, CLEAR):
            form.fill(do, value or form.inputs.last(LIKE))
        return show_page(visit, await as_read(visit.request.scope, campaign.account, form.page))
    once = checked_key(key or form.inputs.last("key"))
    before = await done_before(visit.application, campaign.campaign_id, campaign.account, once)
    if before is not None and form.names_newcomers:  # by now, those are called otherwise who would be product
        return see_other(path_of_done(form.back, before, is_before=not key))
    act = form.request()
    count = len(act.command.commands) if act is not None and isinstance(act.command, Together) else 1
    await visit.application.rates.act(campaign.campaign_id, campaign.account, count)
    if act is None:
        return show_page(visit, await form.page(), MALFORMED)
    try:
        answer = await submit(visit.application, campaign.campaign_id, campaign.account, act, key=once)
    except Rejection as refusal:
        again = BuilderForm(await play_table(visit), system, product, form.entries, is_sent=True)
        status = next(status for kind, status in STATUS_BY_KIND if isinstance(refusal, kind))
        return show_page(visit, await again.page(refusal), status)
    return see_other(path_after(form.back, answer, is_before=before is not None and not key))
