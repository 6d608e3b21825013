"""The campaign at a glance: who plays what, what is going on, what the table waits for."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, structs

from domain.campaign.calendar.dates import date_of
from domain.campaign.money.reconciliation import Drift
from domain.campaign.settings import OWN, SettingHelp, described, language_of, settings_of
from domain.campaign.state import CampaignState
from domain.command_context import Role
from domain.ids import AccountId, CampaignId, CharacterId, SystemId
from domain.sentences import Sentence, say, term
from domain.systems import SYSTEMS
from projections.campaign.narration import in_words
from projections.campaign.pending_choices import Awaited, awaited
from projections.languages import render


class Member(Struct, frozen=True):
    """One member of a campaign."""

    account: AccountId
    name: str
    role: Role


class RosterEntry(Struct, frozen=True):
    """One character: who, in which system, whose."""

    character: CharacterId
    name: str
    system: SystemId
    player: AccountId | None
    player_name: str | None


class SessionView(Struct, frozen=True):
    """The play session that is going on."""

    session_id: str
    number: int
    title: str | None
    present: list[AccountId]


class SceneView(Struct, frozen=True):
    """The scene that is going on."""

    scene_id: str
    name: str | None


class StandingView(Struct, frozen=True):
    """A player at the end of a contest; `player` is None for a company that a GM led."""

    player: AccountId | None
    name: str
    score: int
    won: bool


class ResultView(Struct, frozen=True):
    """A contest that is over, such as a battle: everybody's score, and which characters took part."""

    system: SystemId
    kind: str
    subject: str
    standings: list[StandingView]
    characters: list[CharacterId]


class CampaignView(Struct, frozen=True):
    """A campaign as one member sees it. `game_time` is whole seconds since its calendar began.

    `date` is the same in the group's calendar. `results` are the last contests that are over, the oldest first.
    `archived`: everything can be read, nothing may be done. `alarms` say where the books are not right: nowhere,
    unless something is broken.
    """

    campaign_id: CampaignId
    name: str
    as_of: int
    your_role: Role
    systems: list[SystemId]
    members: list[Member]
    characters: list[RosterEntry]
    sessions_played: int
    session: SessionView | None
    scene: SceneView | None
    downtime: str | None
    game_time: int
    pending: list[Awaited]
    results: list[ResultView]
    settings: list[SettingHelp]
    date: str
    alarms: list[str]
    archived: bool


def members(state: CampaignState, name: Callable[[Any], str]) -> list[Member]:
    """Everybody in the campaign, in the order they came."""
    return [Member(account, name(account), role) for account, role in state.members.items()]


def roster(state: CampaignState, name: Callable[[Any], str]) -> list[RosterEntry]:
    """Every character of the campaign."""
    return [
        RosterEntry(
            character=known.character,
            name=known.name,
            system=system,
            player=known.player,
            player_name=name(known.player) if known.player is not None else None,
        )
        for system, inner in state.systems.items()
        for known in SYSTEMS[system].characters(inner)
    ]


def results(state: CampaignState, name: Callable[[Any], str]) -> list[ResultView]:
    """What the campaign's systems remember of contests; among equal scores by name."""
    return [
        ResultView(
            system=system,
            kind=result.kind,
            subject=result.subject,
            standings=sorted(
                (
                    StandingView(
                        each.player,
                        name(each.player) if each.player is not None else each.company or "",
                        each.score,
                        each.won,
                    )
                    for each in result.standings
                ),
                key=lambda each: (-each.score, each.name),
            ),
            characters=result.characters,
        )
        for system, inner in state.systems.items()
        for result in SYSTEMS[system].results(inner)
    ]


def campaign_view(
    state: CampaignState,
    campaign_id: CampaignId,
    as_of: int,
    role: Role,
    name: Callable[[Any], str],
    drift: Sequence[Drift] = (),
    common: CampaignState | None = None,
) -> CampaignView:
    """The view of one member; `drift` is where the books are not right, as far as that member may know.

    `common` is the campaign as everybody knows it, where that is known.
    """
    session, scene, language = state.session, state.scene, language_of(state.changed_settings)
    return CampaignView(
        campaign_id=campaign_id,
        name=state.name,
        as_of=as_of,
        your_role=role,
        systems=list(state.systems),
        members=members(state, name),
        characters=roster(state, name),
        sessions_played=state.sessions_played,
        session=SessionView(session.session_id, session.number, session.title, session.present)
        if session is not None
        else None,
        scene=SceneView(scene.scene_id, scene.name) if scene is not None else None,
        downtime=state.downtime,
        game_time=state.game_time,
        pending=awaited(state, name, common),
        results=results(state, name),
        settings=[
            structs.replace(each, help=render(each.help, language))
            for each in described(list(state.systems), state.changed_settings, state.rulings)
        ],
        date=date_of(state.game_time, settings_of(OWN, state.changed_settings).calendar).text,
        alarms=[render(_alarm(each, name), language) for each in drift],
        archived=state.archived_at is not None,
    )


def _alarm(drift: Drift, name: Callable[[Any], str]) -> Sentence:
    """What nobody should ever read: the books are not right."""
    account, currency = in_words(drift.account, name), term(drift.currency)
    ledger, other = drift.ledger, drift.other
    match drift.source:
        case "sheet":
            return say(
                "The ledger says that {account} holds {ledger} {currency}, and the sheet says {sheet}",
                account=account,
                ledger=ledger,
                currency=currency,
                sheet=other,
            )
        case "log":
            return say(
                "The ledger says that {account} holds {ledger} {currency}, and the log adds up to {log}",
                account=account,
                ledger=ledger,
                currency=currency,
                log=other,
            )
        case _:
            return say(
                "All accounts together hold {ledger} {currency}, and should hold nothing",
                ledger=ledger,
                currency=currency,
            )
