"""All routes of pages, as one router for the application."""

from typing import Any

from litestar import Request, Router
from litestar.di import Provide
from litestar.exceptions import HTTPException

from services.application import Application
from services.http.api.app import HANDLERS
from services.http.middleware.origin_check import require_own_page
from services.http.screen.about import about, offline, privacy
from services.http.screen.account import (
    access_token_form,
    account,
    account_erasure,
    password_reset,
    push_call_devices,
    sign_in,
)
from services.http.screen.book import campaign_book
from services.http.screen.builders import builders
from services.http.screen.campaigns import files, fork, new_campaign, service_front_page
from services.http.screen.campaigns import import_campaign as bring
from services.http.screen.chronicle import chronicle, comparison, explanation, reveal, undo
from services.http.screen.commands import commands
from services.http.screen.dice import dice_epochs, dice_proof, luck, saved_rolls, verification
from services.http.screen.home import campaign_home, confirmation_pages, next_session
from services.http.screen.members import invite_acceptance, invites, members
from services.http.screen.money import foreign_ledger, money, statement, things
from services.http.screen.settings import settings, webhooks
from services.http.screen.shared.problem_page import page_of_problem
from services.http.screen.shared.static_files import static_file
from services.http.screen.shared.visitor import provide_visit
from services.http.screen.table import boards, gm, live, service_record, sheets, table
from services.http.screen.time import calendar, calendar_change, downtime, timers

PAGES: list[Any] = [
    service_front_page.front_page,
    sign_in.sign_in_page,
    sign_in.sign_in,
    sign_in.sign_up_page,
    sign_in.sign_up,
    sign_in.sign_out,
    password_reset.reset_page,
    password_reset.reset,
    account.account_page,
    account.change_language,
    account.change_password,
    account.change_name,
    account.change_time_zone,
    account.end_session,
    account.end_others,
    account.end_token,
    account.keep,
    push_call_devices.call_here,
    push_call_devices.change,
    access_token_form.program_page,
    access_token_form.make_token,
    account_erasure.deletion_page,
    account_erasure.delete_account,
    account_erasure.erasure_page,
    account_erasure.erase_words,
    new_campaign.found_page,
    new_campaign.create,
    bring.bring_page,
    bring.bring,
    invite_acceptance.join_by_code,
    invite_acceptance.invite_page,
    invite_acceptance.accept,
    campaign_home.campaign_home,
    next_session.next_session_page,
    next_session.change_next_session,
    next_session.change_feed,
    campaign_home.play_session,
    settings.settings_page,
    settings.change_settings,
    webhooks.webhooks_page,
    webhooks.make,
    webhooks.change,
    files.files_page,
    members.members_page,
    members.change_role,
    members.identify,
    confirmation_pages.step_page,
    confirmation_pages.take_step,
    confirmation_pages.member_step_page,
    confirmation_pages.take_member_step,
    confirmation_pages.restore_page,
    confirmation_pages.restore,
    invites.invite,
    invites.invite_page,
    invites.revoke,
    builders.builder_page,
    builders.builder_sent,
    sheets.all_sheets,
    sheets.one_sheet,
    explanation.explanation,
    service_record.service_record,
    campaign_book.recap_page,
    campaign_book.book,
    explanation.explanation_on_board,
    boards.boards_page,
    about.about,
    privacy.privacy,
    offline.offline_page,
    chronicle.chronicle,
    chronicle.one_line,
    money.money_page,
    foreign_ledger.file_page,
    foreign_ledger.read_file,
    things.things_page,
    things.thing_page,
    statement.statement,
    statement.balance_explained,
    statement.ledger_file,
    statement.ledger_export,
    comparison.compare,
    fork.fork_page,
    fork.make_fork,
    dice_proof.dice_proof,
    dice_epochs.dice_page,
    dice_epochs.add_words,
    saved_rolls.saved_rolls_page,
    saved_rolls.change_saved_roll,
    verification.verification,
    luck.luck,
    undo.correction_page,
    undo.correct,
    undo.undo_of,
    gm.gm_page,
    gm.one_panel,
    calendar.calendar_page,
    calendar_change.read_page,
    calendar_change.read_file,
    calendar_change.change_calendar,
    timers.timers_page,
    timers.retry_timer,
    downtime.downtime_page,
    downtime.end_page,
    downtime.end,
    reveal.reveal_page,
    reveal.reveal,
    table.table,
    table.one_panel,
    table.stream,
    table.write_note,
    commands.commands_page,
    commands.command_page,
    commands.nothing_to_do,
    commands.command_sent,
]

FORM = "application/x-www-form-urlencoded"


def pages_router() -> Router:
    """Every page, and what pages link to."""
    return Router(
        path="/",
        route_handlers=[static_file, live.followed, offline.offline_marks, offline.service_worker, *PAGES],
        dependencies={"visit": Provide(provide_visit)},
        before_request=require_plain_page_request,
        exception_handlers=dict.fromkeys((Exception, *HANDLERS), page_of_problem),
        include_in_schema=False,
    )


async def require_plain_page_request(request: Request[Any, Any, Any]) -> None:
    """No NUL anywhere, bodies from forms only, and forms from our own pages; also those of strangers.

    Another site could sign a browser in as another account. Raises `HTTPException`, and refuses `foreign_origin`.
    """
    application: Application = request.app.state.application
    require_own_page(request.scope, application.origins)
    request.state.sent = body = await request.body()
    parts = (request.scope["query_string"], request.scope["path"].encode("utf-8", "replace"), body)
    if any(b"%00" in part or b"\0" in part for part in parts):
        raise HTTPException(detail="The request holds a NUL character.", status_code=400)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != FORM:
        raise HTTPException(detail=f"Pages take forms: send Content-Type: {FORM}.", status_code=415)
