"""`fieldlog audit`: the acts of hosts by the command line, newest first."""

from services.cli.host_actions import AsJson, Host, PageSize, at_work, id_said, say, say_json


def audit(*, limit: PageSize = 50, before: str | None = None, json: AsJson = False) -> int:
    """List what hosts did upon accounts and campaigns, the last first. The list cannot be changed.

    Parameters
    ----------
    before
        Go on before this id, the last of the page before.

    """
    from_there = None if before is None else id_said(before, "host action")

    async def work(host: Host) -> None:
        page = await host.application.host_actions.latest(from_there, limit)
        names = await host.application.names.names_of([action.account for action in page if action.account])
        if json:
            say_json(
                {"host_actions": page, "next_before": page[-1].host_action_id if len(page) == limit else None}
            )
            return
        for action in page:
            upon = "" if action.account is None else f" {names.get(action.account, 'an account that is gone')}"
            upon += "" if action.campaign is None else f" {action.campaign}"
            refusal = "" if action.refused is None else f", refused: {action.refused}"
            say(
                f"{action.done_at.astimezone():%Y-%m-%d %H:%M:%S}  {action.done_by}  "
                f"{action.command}{upon}{refusal}"
            )
        if not page:
            say("hosts have done nothing by the command line")
        elif len(page) == limit:
            say(f"earlier: fieldlog audit --before {page[-1].host_action_id}")

    return at_work(work)
