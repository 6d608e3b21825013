"""Frame State in words: one sentence for every kind of event."""

from collections.abc import Callable, Iterable
from typing import assert_never
from uuid import UUID

from domain.sentences import Sentence, in_a_row, joined, say, term
from domain.systems.frame_state import events as e
from domain.systems.frame_state.entered_events import Entered, FrameEntered, PilotEntered, UnitEntered
from domain.systems.frame_state.tables import BLANK, Outcome, PresetWord
from projections.narration import frame_state_money, frame_state_tests

Name = Callable[[str | UUID], str]

TERMS = (Outcome, PresetWord)
"""Whose words are said as terms; other words of a catalogue are the group's own."""


def tell(event: e.Event, name: Name) -> Sentence | str:
    """What happened, as a player would say it; nothing where the campaign's own event says it."""
    match event:
        # Cases are tried from the top, and most of a campaign are its tests.
        case e.TestResolved():
            return frame_state_tests.resolved(event, name)
        case e.TestCalled():
            return frame_state_tests.called(event, name)
        case e.TestProposed():
            return frame_state_tests.proposed(event, name)
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
        case (
            e.FrameCreated() | e.FrameLost() | e.FrameReplacementAsked() | e.FrameReplaced() | e.SalvageCredited()
        ):
            return _machine(event, name)
        case e.PointAllocated() | e.PointLost() | e.PointGranted() | e.CategoryAdvanced():
            return _points(event, name)
        case e.UpgradeCostRecorded():
            return say(
                "Upgrades of {frame} have cost {total} credits so far",
                frame=name(event.frame),
                total=event.total_after,
            )
        case e.ExperimentalInstalled():
            return _experimental(event, name)
        case e.TestCancelled():
            return say("A test was called off")
        case e.ConsequenceNarrated():
            return say("What came of it: {consequence}", consequence=event.consequence)
        case e.MissionStarted() | e.MissionConcluded():
            return frame_state_money.mission(event, name)
        case e.CurrencyAwarded() | e.CurrencyCharged() | e.CurrencySpent():
            return frame_state_money.tell(event, name)
        case e.CurrencyMoved():
            return ""  # the campaign tells who gave what to whom
        case _:
            assert_never(event)


def _catalogue(event: e.CatalogueDefined) -> Sentence:
    """The catalogue in a nutshell."""
    categories = joined(term(each) for each in sorted(event.categories))
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
    return say("{who} came into play", who=entered)


def _arrived(event: e.PilotCreated | e.PilotAdopted | e.PilotAssigned, name: Name) -> Sentence | str:
    """Who is new, and with what."""
    if isinstance(event, e.PilotAssigned):
        return ""  # the campaign's own event says to whom the pilot was handed
    pilot, credits_ = event.name, event.currency
    player = name(event.player_id) if event.player_id is not None else None
    if isinstance(event, e.PilotCreated):
        if player is None:
            return say(
                "A new pilot reports for duty: {pilot}, with {credits} credits", pilot=pilot, credits=credits_
            )
        return say(
            "A new pilot reports for duty: {pilot}, flown by {player}, with {credits} credits",
            pilot=pilot,
            player=player,
            credits=credits_,
        )
    frames = joined(frame.name for frame in event.frames) if event.frames else say("no frame")
    if player is None:
        return say(
            "{pilot} came over from another campaign, with {credits} credits and {frames}",
            pilot=pilot,
            credits=credits_,
            frames=frames,
        )
    return say(
        "{pilot} came over from another campaign, flown by {player}, with {credits} credits and {frames}",
        pilot=pilot,
        player=player,
        credits=credits_,
        frames=frames,
    )


def _machine(
    event: e.FrameCreated | e.FrameLost | e.FrameReplacementAsked | e.FrameReplaced | e.SalvageCredited,
    name: Name,
) -> Sentence:
    """Frames that come, go, and come back as parts."""
    match event:
        case e.FrameCreated():
            return say("{pilot} climbed into a new frame, {frame}", pilot=name(event.pilot_id), frame=event.name)
        case e.FrameLost():
            return _lost(event, name)
        case e.FrameReplacementAsked():
            return say(
                "{pilot} asks to replace {old} with {new}",
                pilot=name(event.pilot),
                old=name(event.old),
                new=name(event.new),
            )
        case e.FrameReplaced():
            return _replaced(event, name)
        case e.SalvageCredited():
            return say(
                "The wreck of {frame} was salvaged for {amount} credits towards refits",
                frame=name(event.frame),
                amount=event.amount,
            )


def _lost(event: e.FrameLost, name: Name) -> Sentence:
    """A loss, and what it is worth."""
    pilot, frame, total = name(event.pilot), name(event.frame), event.upgrade_cost_total
    if not event.cause:
        return say(
            "{pilot} lost {frame}, into which {total} credits had gone", pilot=pilot, frame=frame, total=total
        )
    return say(
        "{pilot} lost {frame}, into which {total} credits had gone: {cause}",
        pilot=pilot,
        frame=frame,
        total=total,
        cause=event.cause,
    )


def _replaced(event: e.FrameReplaced, name: Name) -> Sentence:
    """A new machine, and what came along."""
    new, old, pilot = name(event.new), name(event.old), name(event.pilot)
    total = event.carried_ledger_total
    if event.frame_loss == "pools_kept":
        return say(
            "{new} replaced {old} as the frame of {pilot}, with all its points; its ledger stands at {total}",
            new=new,
            old=old,
            pilot=pilot,
            total=total,
        )
    return say(
        "{new} replaced {old} as the frame of {pilot}; its ledger stands at {total}",
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
            return say(
                "{pilot} raised {attribute} from {before} to {after}",
                pilot=pilot,
                attribute=term(event.attribute),
                before=_offer(event.from_),
                after=event.to,
            )
        case e.PointLost():
            return say(
                "{pilot} lowered {attribute} from {before} to {after}",
                pilot=pilot,
                attribute=term(event.attribute),
                before=event.from_,
                after=_offer(event.to),
            )
        case e.PointGranted():
            return say(
                "{pilot} keeps the freed point of {category} for later", pilot=pilot, category=term(event.category)
            )
        case e.CategoryAdvanced():
            told = say(
                "{pilot} advanced {category} to {maximum} points, {unspent} of them unspent",
                pilot=pilot,
                category=term(event.category),
                maximum=event.maximum_after,
                unspent=event.unspent_after,
            )
            return with_remark(told, event.explanation)


def _experimental(event: e.ExperimentalInstalled, name: Name) -> Sentence:
    """A part that nobody could have bought."""
    told = say(
        "{pilot} got an experimental upgrade: {attribute} {value}, {total} in all",
        pilot=name(event.pilot),
        attribute=term(event.attribute),
        value=f"{event.value:+}",
        total=f"{event.bonus_total:+}",
    )
    return with_remark(told, event.note)


def with_remark(told: Sentence, remark: str | None) -> Sentence:
    """A sentence with what somebody added in their own words."""
    return in_a_row([told, f"({remark})"], " ") if remark else told


def _offer(offered: int | str) -> int | str | Sentence:
    """What an attribute offers; the table's dash for no die is hard to read in a sentence."""
    return say("blank") if offered == BLANK else offered


def _names(ids: Iterable[str], name: Name) -> list[str]:
    """Names in the order of the alphabet: that of the ids means nothing to anybody."""
    return sorted(name(each) for each in ids)
