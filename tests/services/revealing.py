"""Entries that are revealed and followed."""

from typing import Any
from uuid import UUID

from domain.ids import CampaignId
from services.workers.projector import Projector
from tests.services.conftest import Person, Table


def reveal(table: Table, action: str, who: Person | None = None) -> Any:
    return table.act(who or table.gm, "campaign.reveal_action", action_id=action)


def refusal(table: Table, action: str, who: Person | None = None) -> Any:
    answer = table.try_to(who or table.gm, "campaign.reveal_action", action_id=action)
    return answer.status_code, answer.json()["code"]


def follow(table: Table) -> None:
    """Workers bring what is stored up to date."""
    client: Any = table.gm.client
    application = client.app.state.application
    follower = Projector(application.log, application.views, application.handler)
    client.blocking_portal.call(follower.campaign, CampaignId(UUID(table.campaign_id)))


def entry(table: Table, who: Person, action: str, **params: Any) -> Any:
    return who.get(f"{table.path}/actions/{action}", params=params).json()["action"]
