"""Webhooks: addresses elsewhere that are told what happens in a campaign, as far as every member may know it."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

from domain.ids import AccountId, CampaignId

WebhookForm = Literal["json", "discord"]
"""How a webhook is told: signed JSON for programs, or messages that Discord shows."""

WebhookKind = Literal["actions", "waiting", "sessions", "scenes", "dates"]
"""The kinds of news: actions in words, answers that the table waits for, play sessions, scenes, and dates."""

WEBHOOKS_MAX = 10
"""So many has a campaign at most."""

ADDRESS_CHARACTERS_MAX = 2_000


class Webhook(Struct, frozen=True):
    """A webhook of a campaign, and how far it has come. Moments are microseconds UTC."""

    campaign_id: CampaignId
    webhook_id: UUID
    form: WebhookForm
    kinds: list[WebhookKind]
    host: str
    """The host of its address, which alone is shown later."""
    sealed: bytes
    """Its address and secret, encrypted."""
    created_by: AccountId
    created_at: int
    delivered: int
    """The last seq of which its receiver has confirmed the news."""
    upto: int
    """The last seq of the message that is being sent, or was last: a repetition is about the same events."""
    waiting: bytes
    """A hash of what the table waited for when its receiver was last told."""
    attempts: int
    """Failed attempts since the last that succeeded."""
    due_at: int
    """When it is tried next; a worker that tries moves it on, and holds it until then."""
    failing_since: int | None
    parked_at: int | None
    """Since when it is not tried any more."""
    fault: str | None
    """Why the last attempt failed: `http_<status>`, or a code of `WebhookUnreachable`."""
    bodies_confirmed: int = 0
    """Of a message of several bodies so many were confirmed: a repetition goes on with the next one."""


class WebhookTarget(Struct, frozen=True):
    """Where a webhook is sent, and the secret that signs it."""

    address: str
    secret: str


class WebhookCounts(Struct, frozen=True):
    """How many webhooks fail at the moment, and how many are parked."""

    failing: int
    parked: int


class WebAnswer(Struct, frozen=True):
    """The status of an answer, and for how many seconds it asks to be left alone."""

    status: int
    retry_after: float | None


class WebhookUnreachable(Exception):  # noqa: N818 — it states what is the case
    """No answer came; `code` says why.

    `unknown_host`, `private_address`, `no_connection`, `no_answer_in_time`, `untrusted_certificate`,
    `no_secure_connection`, `broken_answer`, or `plain_http` for an address outside of the host's own networks.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)
