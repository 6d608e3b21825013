"""All routes of pages, as one router for the application."""

from typing import Any

from litestar import Request, Router
from litestar.di import Provide
from litestar.exceptions import HTTPException

from services.api.app import HANDLERS
from services.api.origin_check import require_own_page
from services.application import Application
from services.pages import (
    about,
    account,
    account_steps,
    boards,
    book,
    bring,
    campaign_home,
    campaign_steps,
    chronicle,
    commands,
    comparison,
    dice,
    dice_proof,
    downtime,
    explanation,
    files,
    fork,
    front_page,
    gm,
    invites,
    luck,
    members,
    membership,
    money,
    new_campaign,
    offline,
    password_reset,
    privacy,
    programs,
    record,
    reveal,
    settings,
    sheets,
    sign_in,
    statement,
    table,
    timers,
    undo,
    verification,
)
from services.web.problem_page import page_of_problem
from services.web.static_files import static_file
from services.web.visitor import provide_visitor

PAGES: list[Any] = [
    front_page.front_page,
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
    account.change_time_zone,
    account.end_session,
    account.end_others,
    account.end_token,
    account.keep,
    programs.program_page,
    programs.make_token,
    account_steps.deletion_page,
    account_steps.delete_account,
    account_steps.erasure_page,
    account_steps.erase_words,
    new_campaign.found_page,
    new_campaign.found,
    bring.bring_page,
    bring.bring,
    membership.join_by_code,
    membership.invite_page,
    membership.accept,
    campaign_home.campaign_home,
    campaign_home.play_session,
    settings.settings_page,
    settings.change_settings,
    files.files_page,
    members.members_page,
    members.change_role,
    campaign_steps.step_page,
    campaign_steps.take_step,
    campaign_steps.member_step_page,
    campaign_steps.take_member_step,
    campaign_steps.restore_page,
    campaign_steps.restore,
    invites.invite,
    invites.invite_page,
    invites.revoke,
    sheets.all_sheets,
    sheets.one_sheet,
    explanation.explanation,
    record.service_record,
    book.recap_page,
    book.book,
    explanation.explanation_on_board,
    boards.boards_page,
    about.about,
    privacy.privacy,
    offline.offline_page,
    chronicle.chronicle,
    chronicle.one_line,
    money.money_page,
    statement.statement,
    statement.balance_explained,
    statement.ledger_file,
    comparison.compare,
    fork.fork_page,
    fork.make_fork,
    dice_proof.dice_proof,
    dice.dice_page,
    dice.add_words,
    verification.verification,
    luck.luck,
    undo.correction_page,
    undo.correct,
    undo.undo_of,
    gm.gm_page,
    gm.one_panel,
    timers.timers_page,
    timers.retry_timer,
    downtime.downtime_page,
    downtime.end_page,
    downtime.end,
    reveal.reveal_page,
    reveal.reveal,
    table.table,
    table.one_panel,
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
        route_handlers=[static_file, table.followed, offline.offline_marks, offline.service_worker, *PAGES],
        dependencies={"visitor": Provide(provide_visitor)},
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
    said = (request.scope["query_string"], request.scope["path"].encode("utf-8", "replace"), body)
    if any(b"%00" in each or b"\0" in each for each in said):
        raise HTTPException(detail="The request holds a NUL character.", status_code=400)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != FORM:
        raise HTTPException(detail=f"Pages take forms: send Content-Type: {FORM}.", status_code=415)
