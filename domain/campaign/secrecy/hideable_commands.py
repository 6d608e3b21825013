"""The limits of hiding: every kind of command declares them, and they are checked before anything is decided.

Only requests are checked. Actions that were hidden before this check existed stay as they are: `decide` does not
use it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign import commands as c
from domain.campaign.messages.archive import ArchiveCampaign, UnarchiveCampaign
from domain.campaign.messages.character_arrivals import AgreeToArrival, DeclineArrival
from domain.campaign.messages.character_retirement import BringCharacterBack, RetireCharacter
from domain.campaign.messages.deletion_request import AskDeletion, DeclineDeletion
from domain.campaign.messages.downtime import (
    ApproveActivity,
    FinishActivity,
    MeetRequirement,
    PlanActivity,
    StopActivity,
)
from domain.campaign.messages.escrow import OfferTransfer, PostPending, VoidPending
from domain.campaign.messages.imports import IdentifyPerson, ImportCampaign
from domain.campaign.messages.names import Rename
from domain.campaign.messages.next_session import AnswerDates, CallOffDates, ChooseDate, ProposeDates
from domain.campaign.messages.text_erasure import EraseTexts
from domain.campaign.messages.things import CreateThing, MoveThing, Split
from domain.campaign.messages.timers import (
    CancelTimer,
    FireTimer,
    Order,
    PauseTimer,
    ResumeTimer,
    ScheduleTimer,
)
from domain.campaign.messages.undo import DeclineUndo, RedoAction, RequestUndo, UndoAction, UndoSince
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import encode_state
from domain.hideable_commands import ALWAYS, NEVER, WITH_SUBJECT, Hiding, answering, ending, unless
from domain.ids import SystemId
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems import SYSTEMS, owner_of

AS_ITS_ACTION = Hiding("always", ("action_id",))
"""Fixed readers, whatever visibility is asked for: an action's readers read of its fate and of its texts."""

HIDING: dict[type, Hiding] = {
    c.CreateCampaign: NEVER,
    c.JoinCampaign: NEVER,
    c.ChangeRole: NEVER,
    c.HandOver: NEVER,
    c.RemoveMember: NEVER,
    AskDeletion: NEVER,
    DeclineDeletion: NEVER,
    ArchiveCampaign: NEVER,
    UnarchiveCampaign: NEVER,
    c.AcceptRestore: NEVER,
    c.ForgetMember: NEVER,
    c.FollowHidden: NEVER,
    ImportCampaign: NEVER,
    IdentifyPerson: NEVER,
    c.StartSession: NEVER,
    c.EndSession: NEVER,
    c.MarkAttendance: NEVER,
    ProposeDates: NEVER,
    AnswerDates: NEVER,
    ChooseDate: NEVER,
    CallOffDates: NEVER,
    c.StartScene: NEVER,
    c.EndScene: NEVER,
    c.StartDowntime: NEVER,
    c.EndDowntime: NEVER,
    c.AdvanceCalendar: NEVER,
    c.SetSetting: NEVER,
    c.AddDiceWords: NEVER,
    c.EndDiceEpoch: NEVER,
    c.RevealHiddenDice: NEVER,
    c.RevealAction: NEVER,
    c.AddNote: ALWAYS,
    c.RollDice: ALWAYS,
    c.ProveHiddenRoll: ALWAYS,
    c.PostEntry: ALWAYS,
    OfferTransfer: ALWAYS,
    CreateThing: ALWAYS,
    MoveThing: ALWAYS,
    Split: ALWAYS,
    PostPending: answering("entry"),
    VoidPending: answering("entry"),
    c.EnterPlay: NEVER,
    c.AdoptCharacter: ALWAYS,
    AgreeToArrival: answering("arrival"),
    DeclineArrival: answering("arrival"),
    c.AssignCharacter: WITH_SUBJECT,
    Rename: ending("thing"),
    RetireCharacter: ending("character"),
    BringCharacterBack: ending("character"),
    PlanActivity: ALWAYS,
    ApproveActivity: WITH_SUBJECT,
    MeetRequirement: WITH_SUBJECT,
    StopActivity: WITH_SUBJECT,
    FinishActivity: WITH_SUBJECT,
    ScheduleTimer: unless("replaces"),
    CancelTimer: WITH_SUBJECT,
    PauseTimer: WITH_SUBJECT,
    ResumeTimer: WITH_SUBJECT,
    FireTimer: WITH_SUBJECT,
    RequestUndo: AS_ITS_ACTION,
    DeclineUndo: AS_ITS_ACTION,
    UndoAction: AS_ITS_ACTION,
    UndoSince: Hiding("always", ("action_ids",)),
    RedoAction: AS_ITS_ACTION,
    EraseTexts: AS_ITS_ACTION,
}
"""The campaign's own commands. Those of the rule systems are in `RuleSystem.hiding`."""


def hiding_of(command: Any) -> Hiding:
    """The declaration of a command's kind."""
    system = owner_of(command)
    return (HIDING if system is None else system.hiding)[type(command)]


def answered_by(command: Any, known: CampaignState) -> str | None:
    """The id of the thing that a command answers, where the asker knows it; None where it could be several."""
    field = hiding_of(command).answers
    if field is None:
        return None
    named = getattr(command, field)
    found = _meant_ids(known, command) if named is None else [named] if knows(known, named) else []
    return found[0] if len(found) == 1 else None


def knows(state: CampaignState, thing: str) -> bool:
    """Whether a thing of this id is in a state."""
    return _encoder.encode(thing) in encode_state(state)


def require_hideable(command: Any, state: CampaignState, others: Sequence[CampaignState]) -> None:
    """Raise if a command must not be hidden, because others rely on it.

    `state` is the asker's knowledge, `others` that of the members who will not read it. The order of a timer or an
    activity is checked like its own. Raises `cannot_be_hidden`, `subject_is_open`, `subject_not_named`.
    """
    _require_hideable(command, state, others)
    effect = getattr(command, "effect", None)
    if isinstance(effect, Order) and (order := _ordered(effect)) is not None:
        _require_hideable(order, state, others)


def _require_hideable(command: Any, state: CampaignState, others: Sequence[CampaignState]) -> None:
    hiding = hiding_of(command)
    match hiding.of(command):
        case "always":
            return
        case "never":
            raise Rejection(
                "cannot_be_hidden",
                say(
                    "The whole table goes by this, so it cannot be hidden: ask for it openly, and keep what only "
                    "some may know in a hidden note."
                ),
            )
        case "with_subject":
            _require_hidden_subject(command, hiding, state, others)


def _require_hidden_subject(
    command: Any, hiding: Hiding, state: CampaignState, others: Sequence[CampaignState]
) -> None:
    """Raise unless a thing that the command names, or all that it may mean, is hidden from others."""
    in_known = encode_state(state)
    in_others = [in_known if other is state else encode_state(other) for other in others]

    def is_hidden(id_bytes: bytes) -> bool:
        return not any(id_bytes in other for other in in_others)

    ids = [id_bytes for id_bytes in map(_encoder.encode, _subject_ids(command, hiding)) if id_bytes in in_known]
    hidden_ids = [id_bytes for id_bytes in ids if is_hidden(id_bytes)]
    if hidden_ids and not (hiding.every and (len(hidden_ids) < len(ids) or len(ids) < len(hiding.by))):
        return
    meant_ids = [_encoder.encode(id_) for id_ in _meant_ids(state, command)]
    if meant_ids and all(map(is_hidden, meant_ids)):
        return
    if ids:
        raise Rejection(
            "subject_is_open",
            say(
                "This is about something that lies open to the table, so it cannot be hidden: ask for it openly, "
                "or for something that the table does not know of."
            ),
        )
    raise Rejection(
        "subject_not_named",
        say(
            "This can be hidden only where it is about something that the table does not know of: name that by "
            "its id, or ask for it openly."
        ),
    )


def _subject_ids(command: Any, hiding: Hiding) -> Iterator[str]:
    """Everything in a command that may be the id of its subject."""
    for path in hiding.by or command.__struct_fields__:
        yield from _strings(_at(command, path.split(".")))


def _at(part: Any, path: Sequence[str]) -> Any:
    if isinstance(part, list | tuple):
        return [_at(inner, path) for inner in part]
    return _at(getattr(part, path[0]), path[1:]) if path else part


def _strings(part: Any) -> Iterator[str]:
    match part:
        case str():
            yield part
        case Struct():
            for name in part.__struct_fields__:
                yield from _strings(getattr(part, name))
        case dict():
            for key, value in part.items():
                yield from (*_strings(key), *_strings(value))
        case list() | tuple():
            for inner in part:
                yield from _strings(inner)


def _meant_ids(state: CampaignState, command: Any) -> list[str]:
    system = owner_of(command)
    if system is None or system.id not in state.systems:
        return []
    return system.meant_ids(state.systems[system.id], command)


def _ordered(order: Order) -> Any:
    """The command that an order gives; None for an invalid one, which is refused when it is decided."""
    system = SYSTEMS.get(SystemId(str(order.command.get("type")).partition(".")[0]))
    try:
        return None if system is None else system.command(order.command)
    except msgspec.ValidationError:
        return None


_encoder = msgspec.json.Encoder()
