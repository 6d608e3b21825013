"""The campaign at a glance: members, characters, what is going on, and what the table waits for."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from domain.campaign.lifecycle.character_retirement import fate_of
from domain.campaign.messages.character_retirement import Fate
from domain.campaign.money.reconciliation import Drift
from domain.campaign.settings import OWN, SettingHelp, described, language_of, settings_of
from domain.campaign.state import CampaignState
from domain.command_context import Role
from domain.ids import AccountId, CampaignId, CharacterId, SystemId
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from projections.campaign.dates import date_in
from projections.campaign.next_session import NextSessionView, next_session_view
from projections.campaign.pending_choices import Awaited, choices_of
from projections.campaign_words.narration import in_words
from projections.languages import render
from projections.narration_tables import currency_name


class Member(Struct, frozen=True):
    """One member of a campaign; no other GM can demote or remove its `founder`, or delete it over their head."""

    account: AccountId
    name: str
    role: Role
    founder: bool = False


class RosterEntry(Struct, frozen=True):
    """One character: its name, rule system and player. `fate` is how it left the story, if it did."""

    character: CharacterId
    name: str
    system: SystemId
    player: AccountId | None
    player_name: str | None
    fate: Fate | UnsetType = UNSET


class SessionView(Struct, frozen=True):
    """The current play session."""

    session_id: str
    number: int
    title: str | None
    present: list[AccountId]


class SceneView(Struct, frozen=True):
    """The current scene."""

    scene_id: str
    name: str | None


class StandingView(Struct, frozen=True):
    """A player's result in a contest; `player` is null for a company that a GM led."""

    player: AccountId | None
    name: str
    score: int
    won: bool


class ResultView(Struct, frozen=True):
    """A finished contest, such as a battle: every score, and which characters took part."""

    system: SystemId
    kind: str
    subject: str
    standings: list[StandingView]
    characters: list[CharacterId]


class StorageView(Struct, frozen=True):
    """How many bytes something takes, of how many it may (0: any number), and a `warning` if little is left."""

    bytes: int
    bytes_max: int
    warning: str | None


class CampaignView(Struct, frozen=True):
    """A campaign as one member sees it. `game_time` is whole seconds since its calendar began.

    `date` is the same in the group's calendar. `results` are the last finished contests, the oldest first.
    `archived`: everything can be read, and no command is accepted. `alarms` are differences in the ledger; there
    are none unless something is broken. `storage` tells GMs of a campaign that has little left. `next_session` has
    the dates that are proposed, or the chosen one.
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
    names: dict[str, str] = {}
    storage: StorageView | None = None
    next_session: NextSessionView | None = None


def members(state: CampaignState, name: Callable[[Any], str]) -> list[Member]:
    """All members, in the order they joined."""
    return [
        Member(account, name(account), role, account == state.founder) for account, role in state.members.items()
    ]


def roster(state: CampaignState, name: Callable[[Any], str]) -> list[RosterEntry]:
    """All characters of the campaign."""
    return [
        RosterEntry(
            character=character.character,
            name=character.name,
            system=system,
            player=character.player,
            player_name=name(character.player) if character.player is not None else None,
            fate=fate_of(state, character.character) or UNSET,
        )
        for system, inner in state.systems.items()
        for character in SYSTEMS[system].characters(inner)
    ]


def results(state: CampaignState, name: Callable[[Any], str]) -> list[ResultView]:
    """The results that the campaign's rule systems keep; equal scores are ordered by name."""
    return [
        ResultView(
            system=system,
            kind=result.kind,
            subject=result.subject,
            standings=sorted(
                (
                    StandingView(
                        standing.player,
                        name(standing.player) if standing.player is not None else standing.company or "",
                        standing.score,
                        standing.won,
                    )
                    for standing in result.standings
                ),
                key=lambda standing: (-standing.score, standing.name),
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
    language: str | None = None,
) -> CampaignView:
    """The view of one member; `drift` are the ledger's differences that this member may know of.

    `common` is the campaign as everybody knows it, where that is known. Sentences are in `language`; None: the
    campaign's.
    """
    session, scene = state.session, state.scene
    language = language or language_of(state.changed_settings)
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
        next_session=next_session_view(state),
        scene=SceneView(scene.scene_id, scene.name) if scene is not None else None,
        downtime=state.downtime,
        game_time=state.game_time,
        pending=choices_of(state, name, common, language),
        results=results(state, name),
        settings=[
            structs.replace(setting, help=render(setting.help, language))
            for setting in described(list(state.systems), state.changed_settings, state.rulings)
        ],
        date=date_in(language, state.game_time, settings_of(OWN, state.changed_settings).calendar).text,
        alarms=[render(alarm_of(difference, name), language) for difference in drift],
        archived=state.archived_at is not None,
    )


def alarm_of(drift: Drift, name: Callable[[Any], str]) -> Sentence:
    """A difference in the ledger in words."""
    account, currency = in_words(drift.account, name), currency_name(drift.currency, name)
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
        case "set aside":
            return say(
                "An entry of the ledger has {ledger} {currency} set aside, and should have {other}",
                ledger=ledger,
                currency=currency,
                other=other,
            )
        case _:
            return say(
                "All accounts together hold {ledger} {currency}, and should hold nothing",
                ledger=ledger,
                currency=currency,
            )
