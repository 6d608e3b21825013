"""Frame State in words: one sentence for every kind of event."""

from collections.abc import Callable, Iterable
from typing import assert_never
from uuid import UUID

from domain.sentences import Sentence, in_a_row, joined, say
from domain.systems.frame_state import events as e
from domain.systems.frame_state.entered_events import Entered, FrameEntered, PilotEntered, UnitEntered
from domain.systems.frame_state.tables import BLANK, Outcome
from domain.systems.frame_state.terms import called, money
from domain.systems.frame_state.wish_events import FrameReplacementAsked, FrameReplacementDeclined
from projections.campaign.narration_entrances import came
from projections.systems.frame_state import narration_money, narration_tests

Name = Callable[[str | UUID], str]

TERMS = (Outcome,)
"""Whose words are said as terms; words of a catalogue are the group's own."""


def tell(event: e.Event, name: Name) -> Sentence | str:
    """What happened, as a player would say it; nothing where the campaign's own event says it."""
    match event:
        # Cases are tried from the top, and most of a campaign are its tests.
        case e.TestResolved():
            return narration_tests.resolved(event, name)
        case e.TestCalled():
            return narration_tests.called(event, name)
        case e.TestProposed():
            return narration_tests.proposed(event, name)
        case e.CatalogueDefined():
            return _catalogue(event)
        case e.RoleAssigned():
            who = name(event.player)
            if event.role == "handler":
                return say("{who} took the seat of the Handler", who=who)
            return say("{who} took the seat of a pilot", who=who)
        case e.SessionStarted():
            return _session(event, name)
        case e.PilotCreated() | e.PilotAdopted() | e.PilotAssigned():
            return _arrived(event, name)
        case PilotEntered() | FrameEntered() | UnitEntered():
            return _entered(event)
        case e.UnitCreated():
            return say("{unit} entered the world, an NPC of the Handler's", unit=event.name)
        case FrameReplacementAsked() | FrameReplacementDeclined():
            return _wish(event, name)
        case e.FrameCreated() | e.FrameLost() | e.FrameReplaced() | e.SalvageCredited():
            return _machine(event, name)
        case e.PointAllocated() | e.PointLost() | e.PointGranted() | e.CategoryAdvanced():
            return _points(event, name)
        case e.UpgradeCostRecorded():
            return say(
                "Upgrades of {frame} have cost {total} so far",
                frame=name(event.frame),
                total=money(event.total_after),
            )
        case e.ExperimentalInstalled():
            return _experimental(event, name)
        case e.TestCancelled():
            return narration_tests.cancelled(event, name)
        case e.ConsequenceNarrated():
            return narration_tests.consequence(event, name)
        case e.MissionStarted() | e.MissionConcluded():
            return narration_money.mission(event, name)
        case e.CurrencyAwarded() | e.CurrencyCharged() | e.CurrencySpent():
            return narration_money.tell(event, name)
        case e.CurrencyMoved():
            return ""  # the campaign tells who gave what to whom
        case _:
            assert_never(event)


def _catalogue(event: e.CatalogueDefined) -> Sentence:
    """The catalogue in a nutshell."""
    categories = joined(called(each) for each in sorted(event.categories))
    if event.preset is None:
        return say("The catalogue was set: {categories}", categories=categories)
    return say("The catalogue was set from {preset}: {categories}", preset=event.preset, categories=categories)


def _session(event: e.SessionStarted, name: Name) -> Sentence:
    """Who flies, and whether that is a good number."""
    pilots = joined(_names(event.pilots, name)) if event.pilots else say("no pilot with a sheet yet")
    if event.warning is None:
        return say("Flying: {pilots}", pilots=pilots)
    if event.company is None:  # it was started before events kept the number
        return say("Flying: {pilots}. {warning}", pilots=pilots, warning=event.warning.removesuffix("."))
    fewest, most = (*event.recommended, 0, 0)[:2]
    if event.company == 1:
        return say(
            "Flying: {pilots}. The company has one pilot; {fewest} to {most} are recommended",
            pilots=pilots,
            fewest=fewest,
            most=most,
        )
    return say(
        "Flying: {pilots}. The company has {company} pilots; {fewest} to {most} are recommended",
        pilots=pilots,
        company=event.company,
        fewest=fewest,
        most=most,
    )


def _entered(event: Entered) -> Sentence:
    """What was hidden until now."""
    match event:
        case PilotEntered():
            entered = event.pilot.name
        case FrameEntered():
            entered = event.frame.name
        case UnitEntered():
            entered = event.unit.name
    return came(entered, event.anew)


def _arrived(event: e.PilotCreated | e.PilotAdopted | e.PilotAssigned, name: Name) -> Sentence | str:
    """Who is new, and with what."""
    if isinstance(event, e.PilotAssigned):
        return ""  # the campaign's own event says to whom the pilot was handed
    pilot, credits_ = event.name, money(event.currency)
    player = name(event.player_id) if event.player_id is not None else None
    if isinstance(event, e.PilotCreated):
        if player is None:
            return say("A new pilot reports for duty: {pilot}, with {credits}", pilot=pilot, credits=credits_)
        return say(
            "A new pilot reports for duty: {pilot}, played by {player}, with {credits}",
            pilot=pilot,
            player=player,
            credits=credits_,
        )
    frames = joined(frame.name for frame in event.frames) if event.frames else say("no frame")
    if player is None:
        return say(
            "{pilot} came over from another campaign, with {credits} and {frames}",
            pilot=pilot,
            credits=credits_,
            frames=frames,
        )
    return say(
        "{pilot} came over from another campaign, played by {player}, with {credits} and {frames}",
        pilot=pilot,
        player=player,
        credits=credits_,
        frames=frames,
    )


def _machine(
    event: e.FrameCreated | e.FrameLost | e.FrameReplaced | e.SalvageCredited,
    name: Name,
) -> Sentence:
    """Frames that come, go, and come back as parts."""
    match event:
        case e.FrameCreated():
            return say("{pilot} climbed into a new frame, {frame}", pilot=name(event.pilot_id), frame=event.name)
        case e.FrameLost():
            return _lost(event, name)
        case e.FrameReplaced():
            return _replaced(event, name)
        case e.SalvageCredited():
            return say(
                "The wreck of {frame} was salvaged for {amount} towards refits",
                frame=name(event.frame),
                amount=money(event.amount),
            )


def _wish(event: FrameReplacementAsked | FrameReplacementDeclined, name: Name) -> Sentence:
    """What a pilot asks for, takes back, or is refused."""
    pilot, old, new = name(event.pilot), name(event.old), name(event.new)
    if isinstance(event, FrameReplacementAsked):
        return say("{pilot} asks to replace {old} with {new}", pilot=pilot, old=old, new=new)
    if event.back:
        return say("{pilot} no longer asks to replace {old} with {new}", pilot=pilot, old=old, new=new)
    return say("The Handler does not let {pilot} replace {old} with {new}", pilot=pilot, old=old, new=new)


def _lost(event: e.FrameLost, name: Name) -> Sentence:
    """A loss, and what it is worth."""
    pilot, frame, total = name(event.pilot), name(event.frame), money(event.upgrade_cost_total)
    told = say("{pilot} lost {frame}", pilot=pilot, frame=frame)
    if event.upgrade_cost_total:
        told = say("{pilot} lost {frame}, upgraded for {total}", pilot=pilot, frame=frame, total=total)
    return say("{told}: {words}", told=told, words=event.cause) if event.cause else told


def _replaced(event: e.FrameReplaced, name: Name) -> Sentence:
    """A new machine, and what came along."""
    new, old, pilot = name(event.new), name(event.old), name(event.pilot)
    total = money(event.carried_ledger_total)
    if event.frame_loss == "pools_kept":
        return say(
            "{new} replaced {old} as the frame of {pilot}, with all its points; upgrades on record: {total}",
            new=new,
            old=old,
            pilot=pilot,
            total=total,
        )
    return say(
        "{new} replaced {old} as the frame of {pilot}; upgrades on record: {total}",
        new=new,
        old=old,
        pilot=pilot,
        total=total,
    )


def _points(event: e.PointAllocated | e.PointLost | e.PointGranted | e.CategoryAdvanced, name: Name) -> Sentence:
    """Points that are placed, taken back, kept and bought."""
    pilot = name(event.pilot)
    match event:
        case e.PointAllocated():
            return _raised(event, pilot)
        case e.PointLost():
            return _lowered(event, pilot)
        case e.PointGranted():
            return say(
                "{pilot} keeps the freed point of {category} for later",
                pilot=pilot,
                category=called(event.category),
            )
        case e.CategoryAdvanced():
            told = say(
                "{pilot} advanced {category} to {maximum} points, {unspent} of them unspent",
                pilot=pilot,
                category=called(event.category),
                maximum=event.maximum_after,
                unspent=event.unspent_after,
            )
            return with_remark(told, event.explanation)


def _raised(event: e.PointAllocated, pilot: str) -> Sentence:
    """A point is placed."""
    attribute = called(event.attribute)
    if event.from_ == BLANK:
        return say("{pilot} now has {attribute}: {after}", pilot=pilot, attribute=attribute, after=event.to)
    return say(
        "{pilot} raised {attribute} from {before} to {after}",
        pilot=pilot,
        attribute=attribute,
        before=event.from_,
        after=event.to,
    )


def _lowered(event: e.PointLost, pilot: str) -> Sentence:
    """A point is taken back; the table's dash for no die is hard to read in a sentence."""
    attribute, before = called(event.attribute), event.from_
    if event.to == BLANK:
        return say("{pilot} gave up {attribute} ({before})", pilot=pilot, attribute=attribute, before=before)
    return say(
        "{pilot} lowered {attribute} from {before} to {after}",
        pilot=pilot,
        attribute=attribute,
        before=before,
        after=event.to,
    )


def _experimental(event: e.ExperimentalInstalled, name: Name) -> Sentence:
    """A part that nobody could have bought; it does nothing for an attribute that has no die yet (FS-A7)."""
    parts: dict[str, str | Sentence] = {
        "pilot": name(event.pilot),
        "attribute": called(event.attribute),
        "value": f"{event.value:+}",
        "total": f"{event.bonus_total:+}",
    }
    told = say("{pilot} got an experimental upgrade: {attribute} {value}, {total} in all", **parts)
    if event.offer == BLANK:
        told = say(
            "{pilot} got an experimental upgrade: {attribute} {value}, {total} in all, idle until it has a die",
            **parts,
        )
    return with_remark(told, event.note)


def with_remark(told: Sentence, remark: str | None) -> Sentence:
    """A sentence with what somebody added in their own words."""
    return in_a_row([told, f"({remark})"], " ") if remark else told


def _names(ids: Iterable[str], name: Name) -> list[str]:
    """Names in the order of the alphabet: that of the ids means nothing to anybody."""
    return sorted(name(each) for each in ids)
