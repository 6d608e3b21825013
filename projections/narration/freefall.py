"""FREE/FALL in words: one sentence for every kind of event."""

from collections.abc import Callable, Iterable
from typing import assert_never
from uuid import UUID

from domain.systems.freefall import events as e
from domain.systems.freefall.tables import ATTRIBUTES, Mode

Name = Callable[[str | UUID], str]

MODES: dict[Mode, str] = {
    "narrative": "The story flows freely again: narrative time",
    "montage": "Time runs in glimpses now: montage",
    "action": "Things speed up: action time, where successes move clocks",
    "bullet": "Every heartbeat counts: bullet time",
}
MARKS = {"failure": "failure", "basic": "a basic success", "greater": "a greater success"}


def tell(event: e.Event, name: Name) -> str:
    """What happened, as a player would say it."""
    match event:
        case e.ClassDefined():
            return f"The class {event.class_} offers {_and(event.specialties) or 'no specialties'}"
        case e.CharacterCreated():
            return _created(event, name)
        case e.CharacterAdopted():
            owner = f", played by {name(event.sheet.player)}" if event.sheet.player is not None else ""
            return f"{event.sheet.name}, {event.sheet.class_}, came over from another campaign{owner}"
        case e.CharacterAssigned():
            return ""  # the campaign's own event says to whom the character was handed
        case e.PermanentChanged():
            why = f": {event.reason}" if event.reason else ""
            who = name(event.character)
            return (
                f"Permanent {event.attribute} of {who} changed by {event.change:+} to {event.permanent_after}{why}"
            )
        case e.GearAdded():
            return f"{name(event.character)} got hold of {event.what.name}"
        case e.GearEquipped():
            cut = _clamped(event.clamped)
            return f"{name(event.character)} put {name(event.item)} to use{cut}"
        case e.GearUnequipped():
            return f"{name(event.character)} took {name(event.item)} off, and the strain with it"
        case e.GearDiscarded():
            return f"{name(event.character)} parted with {name(event.item)} for good"
        case e.MachineCreated():
            return f"{event.name} stands ready, with FRM {event.frm} and SYS {event.sys}"
        case e.MachineBoarded():
            return f"{name(event.character)} took the controls of {name(event.machine)}{_clamped(event.clamped)}"
        case e.MachineLeft():
            return f"{name(event.character)} left the controls of {name(event.machine)}"
        case e.TimeModeChanged():
            return MODES[event.mode]
        case e.ClockOpened():
            return f"A clock started: “{event.name}”, {event.size} segments"
        case e.ClockTicked():
            done = " and is full" if event.filled_after >= event.size else ""
            return f"The clock {name(event.clock)} moved to {event.filled_after} of {event.size}{done}"
        case e.ClockClosed():
            return f"The clock {name(event.clock)} was put away"
        case e.TurnStarted():
            return f"The turn begins for {event.name} with {_dice(event.dice_pool)}{_scars(event.filled)}"
        case e.TurnEnded():
            return "The turn ended"
        case e.ActionsDeclared():
            return _declared(event, name)
        case e.ResolutionOrdered():
            who = _and([name(each) for each in event.order])
            return f"Actions resolve{', as the GM fixed it' if event.fixed_by_gm else ' in reverse'}: {who}"
        case e.ActionAbandoned():
            return f"{name(event.actor)} let an action go ({event.action})"
        case e.ActionNegated():
            why = f": {event.why}" if event.why else ""
            return f"{name(event.actor)} never got to act ({event.action}){why}"
        case e.ActionRolled():
            return _rolled(event, name)
        case e.AttackHit():
            return _hit(event, name)
        case e.ComplicationFlagged():
            ones = "a natural 1" if event.ones == 1 else f"{event.ones} natural 1s"
            return f"{name(event.actor)} rolled {ones}: something may go wrong"
        case e.ComplicationIntroduced():
            return f"A complication: {event.text}"
        case e.SuccessForced():
            return f"{name(event.actor)} paid in harm and succeeded after all"
        case e.ConflictRolled():
            return _conflict(event, name)
        case e.ConflictOrderDecided():
            return f"The tie is decided: {name(event.first)} acts first"
        case _:
            return _harm(event, name)


def _harm(event: e.HarmEvent | e.RecoveryEvent, name: Name) -> str:
    """Harm, and what comes after it."""
    match event:
        case e.HarmCalled():
            warning = ". One more permanent harm ends it" if event.will_oust else ""
            through = f" through {name(event.machine)}" if event.machine is not None else ""
            harm = f"{_levels(event.levels)} of {event.harm_type} harm{through}"
            return f"{name(event.character)} faces {harm} and has to choose{warning}"
        case e.HarmWithdrawn():
            return f"{name(event.character)} was spared after all"
        case e.HarmSuffered():
            armour = f", {event.av} of {event.incoming} stopped by armour" if event.av else ""
            return f"{name(event.character)} suffered {_levels(event.levels)} of {event.harm_type} harm{armour}"
        case e.AttributeSpent():
            what = "to push through" if event.purpose == "prerequisite" else "to shrug off harm"
            who = name(event.character)
            return f"{who} spent {event.amount} {event.attribute} {what} and has {event.current_after} left"
        case e.HarmMarked():
            return f"{name(event.character)} marked {event.harm_type} harm in slot {event.slot}"
        case e.HarmMadePermanent():
            return f"The {event.harm_type} harm of {name(event.character)} is permanent now"
        case e.GearBroken():
            return f"{name(event.item)} of {name(event.character)} broke, and weighs as much as before"
        case e.GearFaulted():
            return f"{name(event.item)} of {name(event.character)} failed for now"
        case e.CharacterOusted():
            return f"{name(event.character)} is ousted: three permanent harms are one too many"
        case e.CharacterFateDecided():
            return f"{name(event.character)} {'died' if event.fate == 'dead' else 'retired'}"
        case e.HarmConsequenceWritten():
            return f"What {name(event.character)} carries from now on: {event.consequence}"
        case e.MachineHarmSuffered():
            armour = f", {event.av} of {event.incoming} stopped by its armour" if event.av else ""
            return f"{name(event.machine)} took {_levels(event.levels)} of {event.harm_type} harm{armour}"
        case e.MachineAttributeSpent():
            left = f"{event.attribute.upper()} is down to {event.current_after}"
            verb = "absorbed a level" if event.purpose == "mitigation" else "was pushed"
            return f"{name(event.machine)} {verb}; its {left}"
        case e.MachineBroken():
            return f"{name(event.machine)} is broken, and its pilot still wired to it"
        case _:
            return _recovery(event, name)


def _recovery(event: e.RecoveryEvent, name: Name) -> str:
    """Healing, mending, and what it costs."""
    match event:
        case e.TemporaryHarmCleared():
            how = f" with {event.by}" if event.by is not None else ""
            return (
                f"{name(event.character)} shook off a temporary harm{how} and is back to {_dice(event.pool_after)}"
            )
        case e.RecoveryTaskOpened():
            who = _and(sorted(name(each) for each in event.harms))
            return f"Time to breathe: the GM says which temporary harm clears ({who})"
        case e.RecoveryTaskClosed():
            return "No more temporary harm clears for now"
        case e.TreatmentStarted():
            return f"{name(event.character)} began treatment: {event.method}{_price(event.price, event.payer)}"
        case e.TreatmentCancelled():
            return f"The treatment of {name(event.character)} was called off"
        case e.PermanentHarmRemoved():
            return f"{name(event.character)} is rid of a permanent harm"
        case e.RepairStarted():
            price = _price(event.price, event.payer)
            return f"{event.fixer} took {name(event.item)} of {name(event.character)} in for repair{price}"
        case e.RepairCancelled():
            return f"The repair of {name(event.item)} was called off"
        case e.GearRepaired():
            return f"{name(event.item)} of {name(event.character)} works again"
        case e.GearSelfRepaired():
            return f"{name(event.item)} of {name(event.character)} came back to life by itself"
        case e.RequirementRecorded():
            work = "repair" if event.repair is not None else "treatment"
            return f"One thing less for the {work} to wait for: {event.action}"
        case e.AttributeRestored():
            now = f"{event.current_after} of {event.max_current}"
            return f"{name(event.character)} got {event.amount} {event.attribute} back and has {now}"
        case e.RegroupHeld():
            return "The crew regrouped"
        case e.DowntimeStarted() | e.DowntimeEnded():
            return ""  # the campaign's own event says so
        case e.CreditsAwarded():
            return f"The crew made {event.amount} credits ({event.reason}) and has {event.balance_after}"
        case e.CreditsCharged():
            return f"The crew paid {event.amount} credits ({event.reason}) and {_balance(event.balance_after)}"
        case _:
            assert_never(event)


def _created(event: e.CharacterCreated, name: Name) -> str:
    """Who enters, and what they are made of."""
    owner = f", played by {name(event.player)}" if event.player is not None else ""
    made_of = ", ".join(f"{attribute.title()} {event.permanents.get(attribute, 0)}" for attribute in ATTRIBUTES)
    skilled = f"; good at {_and(event.specialties)}" if event.specialties else ""
    return f"{event.name}, {event.class_}, enters the story{owner}: {made_of}{skilled}"


def _declared(event: e.ActionsDeclared, name: Name) -> str:
    """What somebody means to do."""
    actions = _and([f"{each.id} with {_dice(each.dice)}" for each in event.actions]) or "to wait"
    group = f", with {event.group}," if event.group else ""
    intent = f": {event.intent}" if event.intent else ""
    return f"{name(event.actor)}{group} declared {actions}, in seat {event.seat}{intent}"


def _rolled(event: e.ActionRolled, name: Name) -> str:
    """The whole roll in one line: `Kai rolled 16 19 15 against 16: a greater success, 2 successes`."""
    dice = " ".join(str(face) for face in event.naturals)
    bonus = f" {event.bonus:+}" if event.bonus else ""
    action = f" for {event.action}" if event.action is not None else ""
    count = "1 success" if event.successes == 1 else f"{event.successes} successes"
    marks = MARKS[event.outcome] + (f", {count}" if event.successes else "")
    said = f" ({event.narration})" if event.narration else ""
    return f"{name(event.actor)} rolled {dice}{bonus}{action} against {event.tn}: {marks}{said}"


def _hit(event: e.AttackHit, name: Name) -> str:
    """What an attack brings, before armour."""
    critical = "critically " if event.critical else ""
    impact = ", with high impact" if event.high_impact else ""
    return f"{name(event.actor)} hit {critical}for {_levels(event.levels)} of {event.harm_type} harm{impact}"


def _conflict(event: e.ConflictRolled, name: Name) -> str:
    """Who was faster."""
    best = ", ".join(f"{name(each)} {event.highest[each]}" for each in event.participants if each in event.highest)
    if event.first is not None:
        return f"They clashed ({best}): {name(event.first)} acts first"
    decider = "the GM decides" if event.decided_by == "gm" else "the players decide"
    return f"They clashed ({best}): a tie, and {decider}"


def _clamped(clamped: dict[str, int] | e.Attributes) -> str:
    """What became of current values."""
    cut = _and([f"{attribute} to {value}" for attribute, value in sorted(clamped.items())])
    return f", which cuts {cut}" if cut else ""


def _scars(filled: int) -> str:
    if not filled:
        return ""
    return f", {filled} slot{'s' if filled != 1 else ''} full of harm"


def _dice(count: int) -> str:
    return f"{count}d20"


def _levels(count: int) -> str:
    return "1 level" if count == 1 else f"{count} levels"


def _price(price: int, payer: str | None) -> str:
    """What was agreed."""
    return f", for {price} credits" if price and payer is not None else ""


def _balance(amount: int) -> str:
    """What is left, or owed."""
    return f"has {amount} left" if amount >= 0 else f"owes {-amount}"


def _and(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    listed = list(words)
    return " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
