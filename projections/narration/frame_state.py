"""Frame State in words: one sentence for every kind of event."""

from collections.abc import Callable, Iterable, Sequence
from typing import assert_never
from uuid import UUID

from domain.systems.frame_state import events as e
from domain.systems.frame_state.counted import AverageDie, CountedModifier, RolledDie
from domain.systems.frame_state.state import Modifier, TestDie
from domain.systems.frame_state.tables import BLANK

Name = Callable[[str | UUID], str]

SPENT_ON = {"advancement": "an advance", "refit": "a refit", "new_frame": "a new frame"}


def tell(event: e.Event, name: Name) -> str:
    """What happened, as a player would say it."""
    match event:
        case e.CatalogueDefined():
            return _catalogue(event)
        case e.RoleAssigned():
            seat = "the Handler" if event.role == "handler" else "a pilot"
            return f"{name(event.player)} took the seat of {seat}"
        case e.SessionStarted():
            return _session(event, name)
        case e.PilotCreated():
            owner = f", flown by {name(event.player_id)}" if event.player_id is not None else ""
            return f"A new pilot reports for duty: {event.name}{owner}, with {event.currency} credits"
        case e.PilotAdopted():
            return _adopted(event, name)
        case e.PilotAssigned():
            return ""  # the campaign's own event says to whom the pilot was handed
        case e.UnitCreated():
            return f"{event.name} entered the world, an NPC of the Handler's"
        case e.FrameCreated():
            return f"{name(event.pilot_id)} climbed into a new frame, {event.name}"
        case e.FrameLost():
            return _lost(event, name)
        case e.FrameReplacementAsked():
            return f"{name(event.pilot)} asks to replace {name(event.old)} with {name(event.new)}"
        case e.FrameReplaced():
            return _replaced(event, name)
        case e.SalvageCredited():
            return f"The wreck of {name(event.frame)} was salvaged for {event.amount} credits towards refits"
        case e.PointAllocated():
            return f"{name(event.pilot)} raised {_words(event.attribute)} from {_offer(event.from_)} to {event.to}"
        case e.PointLost():
            return (
                f"{name(event.pilot)} lowered {_words(event.attribute)} from {event.from_} to {_offer(event.to)}"
            )
        case e.PointGranted():
            return f"{name(event.pilot)} keeps the freed point of {_words(event.category)} for later"
        case e.CategoryAdvanced():
            how = f" ({event.explanation})" if event.explanation else ""
            return (
                f"{name(event.pilot)} advanced {_words(event.category)} to {event.maximum_after} points, "
                f"{event.unspent_after} of them unspent{how}"
            )
        case e.UpgradeCostRecorded():
            return f"Upgrades of {name(event.frame)} have cost {event.total_after} credits so far"
        case e.ExperimentalInstalled():
            note = f" ({event.note})" if event.note else ""
            return (
                f"{name(event.pilot)} got an experimental upgrade: {_words(event.attribute)} "
                f"{event.value:+}, {event.bonus_total:+} in all{note}"
            )
        case e.TestProposed():
            asked = _and(_asked(die) for die in event.dice) + _asked_modifiers(event.modifiers)
            intent = f": {event.intent}" if event.intent else ""
            return f"{name(event.pilot)} proposed a test of {asked}{intent}"
        case e.TestCalled():
            return _called(event, name)
        case e.TestResolved():
            return _resolved(event, name)
        case e.TestCancelled():
            return "A test was called off"
        case e.ConsequenceNarrated():
            return f"What came of it: {event.consequence}"
        case e.MissionStarted():
            return f"The mission “{event.name}” began with {_and(_names(event.pilots, name))}"
        case e.MissionConcluded():
            return _concluded(event, name)
        case e.CurrencyAwarded():
            return _awarded(event, name)
        case e.CurrencyCharged() | e.CurrencyMoved():
            return _charged(event, name)
        case e.CurrencySpent():
            return _spent(event, name)
        case _:
            assert_never(event)


def _catalogue(event: e.CatalogueDefined) -> str:
    """The catalogue in a nutshell."""
    source = f" from {event.preset}" if event.preset is not None else ""
    return f"The catalogue was set{source}: {_and(_words(each) for each in sorted(event.categories))}"


def _adopted(event: e.PilotAdopted, name: Name) -> str:
    """Who came over, and with what."""
    owner = f", flown by {name(event.player_id)}" if event.player_id is not None else ""
    frames = _and(frame.name for frame in event.frames) or "no frame"
    return f"{event.name} came over from another campaign{owner}, with {event.currency} credits and {frames}"


def _session(event: e.SessionStarted, name: Name) -> str:
    """Who flies, and whether that is a good number."""
    who = _and(_names(event.pilots, name)) or "no pilot with a sheet yet"
    return f"Flying: {who}" + (f". {event.warning.removesuffix('.')}" if event.warning else "")


def _lost(event: e.FrameLost, name: Name) -> str:
    """A loss, and what it is worth."""
    cause = f": {event.cause}" if event.cause else ""
    return (
        f"{name(event.pilot)} lost {name(event.frame)}, "
        f"into which {event.upgrade_cost_total} credits had gone{cause}"
    )


def _replaced(event: e.FrameReplaced, name: Name) -> str:
    """A new machine, and what came along."""
    kept = ", with all its points" if event.frame_loss == "pools_kept" else ""
    return (
        f"{name(event.new)} replaced {name(event.old)} as the frame of {name(event.pilot)}{kept}; "
        f"its ledger stands at {event.carried_ledger_total}"
    )


def _concluded(event: e.MissionConcluded, name: Name) -> str:
    """The end of a mission and what it pays."""
    named = sorted((name(pilot), amount) for pilot, amount in event.payouts.items())
    paid = _and(f"{amount} credits to {pilot}" for pilot, amount in named)
    mission = _mission(event.mission_id, name)
    return f"{mission[0].upper()}{mission[1:]} was concluded" + (f", owing {paid}" if paid else "")


def _spent(event: e.CurrencySpent, name: Name) -> str:
    """What was bought, and from which pocket."""
    about = f" of {_words(event.category)}" if event.category is not None else ""
    pockets = [f"{event.amount} credits"] if event.amount or not event.credit_used else []
    if event.credit_used:
        pockets.append(f"{event.credit_used} credits of salvage")
    return (
        f"{name(event.pilot)} paid {_and(pockets)} for {SPENT_ON[event.reason]}{about} "
        f"and {_balance(event.balance_after)}"
    )


def _awarded(event: e.CurrencyAwarded, name: Name) -> str:
    """What came in, and why."""
    why = f"({event.reason})" if event.mission_id is None else f"for {_mission(event.mission_id, name)}"
    return f"{name(event.pilot)} was paid {event.amount} credits {why} and has {event.balance_after}"


def _charged(event: e.CurrencyCharged | e.CurrencyMoved, name: Name) -> str:
    """What went out, and why."""
    if isinstance(event, e.CurrencyMoved):
        return ""  # the campaign tells who gave what to whom
    why = f"({event.reason})"
    if event.mission_id is not None:
        why = f"for what {_mission(event.mission_id, name)} cost"
    return f"{name(event.pilot)} was charged {event.amount} credits {why} and {_balance(event.balance_after)}"


def _called(event: e.TestCalled, name: Name) -> str:
    """What is to be rolled. A hidden mark stays hidden, whoever reads."""
    hidden = event.mark_hidden or event.mark is None
    mark = "a hidden mark" if hidden else str(event.mark)
    asked = _and(_asked(die) for die in event.dice) + _asked_modifiers(event.modifiers)
    method = ", taking the average" if event.method == "avg" else ""
    situation = f": {event.situation}" if event.situation else ""
    verb = "tries something" if event.test_type == "proactive" else "has to react"
    return f"{name(event.pilot)} {verb}, a {event.test_type} test of {asked} against {mark}{method}{situation}"


def _resolved(event: e.TestResolved, name: Name) -> str:
    """The whole arithmetic in one line: `Mara rolled d8+1 for 7 against 5: critical`."""
    dice: Sequence[RolledDie | AverageDie] = event.averages if event.method == "avg" else event.dice
    modifiers = " ".join(_counted(each) for each in event.modifiers if each.source != "ace")
    if dice:
        verb = "took the average of" if event.method == "avg" else "rolled"
        formula = _and(_die(die) for die in dice)
        tight = formula == f"d{dice[0].sides}"  # `d8+1`, but `d4 and d8 +1`
        formula += modifiers if tight or not modifiers else f" {modifiers}"
    else:
        verb, formula = "had no die to roll,", f"only {modifiers or '+0'},"
    remarks = []
    if len(dice) > 1:
        results = [die.result for die in dice]
        results.remove(event.kept)
        remarks.append(f"keeping {event.kept} and dropping {_and(str(result) for result in results)}")
    if event.ace:
        remarks.append("with an ace (+2)")
    inserted = f", {', '.join(remarks)}," if remarks else ""
    return (
        f"{name(event.pilot)} {verb} {formula}{inserted} for {event.score} against {event.mark}: {event.outcome}"
    )


def _die(die: RolledDie | AverageDie) -> str:
    """A die as it was rolled: `d8`, or `d8+2 (aim assist)` if an attribute offered it."""
    bonus = f"{die.bonus:+}" if die.bonus else ""
    plain = f"d{die.sides}"
    return f"{plain}{bonus}" + (f" ({_words(die.source)})" if die.source != plain else "")


def _counted(modifier: CountedModifier) -> str:
    """A modifier: `+1`, or `+3 (armour)` if an attribute brought it."""
    source = f" ({_words(modifier.source)})" if modifier.source != "situation" else ""
    return f"{modifier.value:+}{source}"


def _asked(die: TestDie) -> str:
    """A die that a test lists."""
    return die.die or _words(die.attribute or "")


def _asked_modifiers(modifiers: Iterable[Modifier]) -> str:
    """The modifiers that a test lists."""
    return "".join(f" {each:+}" if isinstance(each, int) else f" + {_words(each.attribute)}" for each in modifiers)


def _balance(amount: int) -> str:
    """What is left, or owed."""
    return f"has {amount} left" if amount >= 0 else f"owes {-amount}"


def _mission(mission_id: str, name: Name) -> str:
    """A mission by name; one that is long over may have none any more."""
    called = name(mission_id)
    return "the mission" if called == mission_id else f"the mission “{called}”"


def _offer(offered: int | str) -> int | str:
    """What an attribute offers; the table's dash for no die is hard to read in a sentence."""
    return "blank" if offered == BLANK else offered


def _names(ids: Iterable[str], name: Name) -> list[str]:
    """Names in the order of the alphabet: that of the ids means nothing to anybody."""
    return sorted(name(each) for each in ids)


def _words(key: str) -> str:
    """A key of the catalogue as words: `aim_assist` → `aim assist`."""
    return key.replace("_", " ")


def _and(words: Iterable[str]) -> str:
    """Join with commas and a last "and"."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} and {last}" if most else last
