"""The news for a webhook as the requests that carry them: signed JSON for programs, or messages for Discord."""

import base64
import hmac
from collections.abc import Callable, Mapping
from hashlib import sha256
from uuid import UUID, uuid5

import msgspec
from msgspec import UNSET, Struct

from domain.ids import CampaignId
from domain.sentences import Sentence, say, say_many
from domain.webhooks import Webhook, WebhookTarget
from projections import discord
from projections.campaign.recap import Recap
from projections.discord import DiscordSection, escape_name
from projections.languages import render
from services.reading.play_session import session_title
from services.reading.read_dependencies import Readers
from services.reading.webhook_news import WebhookItem, WebhookNews, webhook_news

SECRET_PREFIX = "whsec_"  # noqa: S105 — by this name libraries know such secrets
JSON = "application/json"

TextOf = Callable[[Sentence], str]


class WebhookBody(Struct, frozen=True):
    """The content of a request: the news of a campaign after a seq, up to another, in their order."""

    webhook_id: UUID
    campaign_id: CampaignId
    campaign: str
    after: int
    as_of: int
    news: list[WebhookItem]


class WebhookMessages(Struct, frozen=True):
    """The bodies that tell the news up to a seq, none where there is nothing to tell.

    `message_id` is the same for a repetition. `is_void`: the maker of the webhook is no GM any more.
    """

    upto: int
    waiting: bytes
    message_id: UUID
    bodies: list[bytes]
    is_archived: bool
    is_void: bool


async def webhook_messages(parts: Readers, webhook: Webhook) -> WebhookMessages:
    """The next messages for a webhook. Raises `campaign_not_found`."""
    news = await webhook_news(parts, webhook)
    if webhook.form == "discord":
        news, bodies = _discord_bodies(news, is_repeated=webhook.upto > webhook.delivered)
    else:
        bodies = [_json_body(webhook, news)] if news.items else []
    message_id = uuid5(webhook.webhook_id, f"message {webhook.delivered} {news.upto}")
    state = news.campaign.state
    return WebhookMessages(
        upto=news.upto,
        waiting=news.waiting,
        message_id=message_id,
        bodies=bodies,
        is_archived=state.archived_at is not None,
        is_void=state.members.get(webhook.created_by) != "gm",
    )


def signed_headers(target: WebhookTarget, message_id: UUID, seconds: int, body: bytes) -> dict[str, str]:
    """The headers of a message at a time (seconds since 1970), by the Standard Webhooks specification."""
    secret = base64.b64decode(target.secret.removeprefix(SECRET_PREFIX))
    signed = hmac.digest(secret, f"{message_id}.{seconds}.".encode() + body, sha256)
    return {
        "Content-Type": JSON,
        "User-Agent": "Fieldlog",
        "webhook-id": str(message_id),
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }


def discord_headers() -> Mapping[str, str]:
    """The headers of a message to Discord, whose address is the secret."""
    return {"Content-Type": JSON, "User-Agent": "Fieldlog"}


def _json_body(webhook: Webhook, news: WebhookNews) -> bytes:
    return msgspec.json.encode(
        WebhookBody(
            webhook.webhook_id,
            webhook.campaign_id,
            news.campaign.state.name,
            webhook.delivered,
            news.upto,
            news.items,
        )
    )


def _discord_bodies(news: WebhookNews, *, is_repeated: bool) -> tuple[WebhookNews, list[bytes]]:
    """As much of the news as one message takes, or the first of it; a repetition is about all of it."""
    messages = _discord_messages(news)
    while len(messages) > 1 and not is_repeated:
        seqs = sorted({item.seq for item in news.items})
        if len(seqs) == 1:
            break
        news = news.until(seqs[(len(seqs) - 1) // 2])
        messages = _discord_messages(news)
    return news, [msgspec.json.encode(message) for message in messages]


def _discord_messages(news: WebhookNews) -> list[discord.Message]:
    def text_of(sentence: Sentence) -> str:
        return render(sentence, news.campaign.language)

    messages: list[discord.Message] = []
    lines: list[str] = []
    for item in news.items:
        section = _section_of(item, text_of)
        if section is None:
            lines += _lines_of(item, text_of)
        else:
            messages += [*discord.line_messages(lines), *section]
            lines = []
    return messages + discord.line_messages(lines)


def _section_of(item: WebhookItem, text_of: TextOf) -> list[discord.Message] | None:
    """The messages of a play session or a scene that ended; None: the news are told in lines."""
    if item.session and item.session.recap is not None:
        return _recap_messages(item.session.recap, text_of)
    if item.scene and item.scene.lines:
        lines = list(item.scene.lines)
        if item.scene.left_out:
            lines.append(text_of(say_many("… and one more line", "… and {n} more lines", item.scene.left_out)))
        return discord.section_messages(_scene_title(item.scene.title, text_of), lines, [])
    return None


def _recap_messages(recap: Recap, text_of: TextOf) -> list[discord.Message]:
    title = text_of(_session_name(recap.session.number, recap.session.title))
    sections = [DiscordSection(part.title, part.sentences) for part in recap.parts]
    return discord.section_messages(title, recap.highlights, sections)


def _lines_of(item: WebhookItem, text_of: TextOf) -> list[str]:
    """The lines of news that are told in lines."""
    if item.session:
        name = _session_name(item.session.number, item.session.title)
        begins, ends = say("{session} begins.", session=name), say("{session} ends.", session=name)
        return [text_of(begins if item.session.change == "began" else ends)]
    if item.scene:
        title = _scene_title(item.scene.title, text_of)
        return [f"**{title}**" if item.scene.change == "began" else text_of(say("The scene ends."))]
    if item.kind == "waiting":
        waiting = item.waiting or []
        if not waiting:
            return [text_of(say("The table waits for nobody."))]
        return [text_of(say("The table waits:")), *(f"• {choice.sentence}" for choice in waiting)]
    lines = [line for line in item.lines or [] if line]
    is_undone = item.action is not UNSET and item.action.undone_in is not None
    return [f"• ~~{line}~~" if is_undone else f"• {line}" for line in lines]


def _session_name(number: int, title: str | None) -> Sentence:
    return session_title(number, None if title is None else escape_name(title))


def _scene_title(title: str | None, text_of: TextOf) -> str:
    return text_of(say("Scene: {scene}", scene=escape_name(title)) if title else say("A scene"))
