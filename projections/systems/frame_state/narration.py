"""Frame State's events as sentences."""

from msgspec import UNSET

from domain.sentences import Part, Sentence, in_a_row, join_parts, say, say_many
from domain.systems.frame_state import events as e
from domain.systems.frame_state.entrance_events import FrameEntered, PilotEntered, UnitEntered
from domain.systems.frame_state.frame_replacement_events import FrameReplacementAsked, FrameReplacementDeclined
from domain.systems.frame_state.tables import BLANK, Outcome
from domain.systems.frame_state.term_words import money, name_of_key
from projections.entrance_sentences import came
from projections.narration_tables import Name, on, tellers
from projections.systems.frame_state import narration_money, narration_tests

TERMS = (Outcome,)
"""Types whose values are translated as terms; the words of a catalogue are the group's own."""


def _catalogue(event: e.CatalogueDefined, _: Name) -> Sentence:
    categories = join_parts(name_of_key(category) for category in sorted(event.categories))
    if event.preset is None:
        sentence = say("The catalogue was set: {categories}", categories=categories)
    else:
        sentence = say(
            "The catalogue was set from {preset}: {categories}", preset=event.preset, categories=categories
        )
    if event.listed:
        listed = join_parts(map(name_of_key, event.listed))
        sentence = say("{told}, with lists to begin with for {listed}", told=sentence, listed=listed)
    if event.short_of_room:
        sentence = say(
            "{told}. There are more points to place than attributes take in {categories}",
            told=sentence,
            categories=join_parts(map(name_of_key, event.short_of_room)),
        )
    return sentence


def _role(event: e.RoleAssigned, name: Name) -> Sentence:
    who = name(event.player)
    if event.role == "handler":
        return say("{who} took the seat of the Handler", who=who)
    return say("{who} took the seat of a pilot", who=who)


def _session(event: e.SessionStarted, name: Name) -> Sentence:
    pilots = join_parts(sorted(map(name, event.pilots))) if event.pilots else say("no pilot with a sheet yet")
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


def _created(event: e.PilotCreated, name: Name) -> Sentence:
    pilot, credits_ = event.name, money(event.currency)
    if event.player_id is None:
        return say("A new pilot reports for duty: {pilot}, with {credits}", pilot=pilot, credits=credits_)
    return say(
        "A new pilot reports for duty: {pilot}, played by {player}, with {credits}",
        pilot=pilot,
        player=name(event.player_id),
        credits=credits_,
    )


def brings(event: e.PilotAdopted) -> Sentence:
    """A pilot's belongings from another campaign: money, points, experimental parts and frames."""
    builds = [event.build, *(frame.build for frame in event.frames)]
    points = sum(pool.granted + pool.advances for build in builds for pool in build.pools.values())
    parts = [value for build in builds for values in build.experimental.values() for value in values]
    credit = sum(frame.refit_credit for frame in event.frames)
    belongings: list[Part] = [money(event.currency), say_many("{n} point", "{n} points", points)]
    if parts:
        belongings.append(
            say_many(
                "{n} experimental part ({sum})",
                "{n} experimental parts ({sum} in all)",
                len(parts),
                sum=f"{sum(parts):+}",
            )
        )
    if credit:
        belongings.append(say("{amount} towards refits", amount=money(credit)))
    return join_parts(
        [*belongings, *(frame.name for frame in event.frames)] if event.frames else [*belongings, say("no frame")]
    )


def _adopted(event: e.PilotAdopted, name: Name) -> Sentence:
    pilot, brought = event.name, brings(event)
    if event.player_id is None:
        return say("{pilot} came over from another campaign, with {brought}", pilot=pilot, brought=brought)
    return say(
        "{pilot} came over from another campaign, played by {player}, with {brought}",
        pilot=pilot,
        player=name(event.player_id),
        brought=brought,
    )


def _replacement_asked(event: FrameReplacementAsked, name: Name) -> Sentence:
    pilot, old, new = name(event.pilot), name(event.old), name(event.new)
    return say("{pilot} asks to replace {old} with {new}", pilot=pilot, old=old, new=new)


def _declined(event: FrameReplacementDeclined, name: Name) -> Sentence:
    pilot, old, new = name(event.pilot), name(event.old), name(event.new)
    if event.back:
        return say("{pilot} no longer asks to replace {old} with {new}", pilot=pilot, old=old, new=new)
    return say("The Handler does not let {pilot} replace {old} with {new}", pilot=pilot, old=old, new=new)


def _lost(event: e.FrameLost, name: Name) -> Sentence:
    pilot, frame, total = name(event.pilot), name(event.frame), money(event.upgrade_cost_total)
    sentence = say("{pilot} lost {frame}", pilot=pilot, frame=frame)
    if event.upgrade_cost_total:
        sentence = say("{pilot} lost {frame}, upgraded for {total}", pilot=pilot, frame=frame, total=total)
    return say("{told}: {words}", told=sentence, words=event.cause) if event.cause else sentence


def _replaced(event: e.FrameReplaced, name: Name) -> Sentence:
    new, old, pilot = name(event.new), name(event.old), name(event.pilot)
    total = money(event.carried_ledger_total)
    if event.advances_lost is not UNSET:
        lost = [
            say_many(
                "{n} advance of {category}", "{n} advances of {category}", bought, category=name_of_key(category)
            )
            for category, bought in sorted(event.advances_lost.items())
        ]
        return say(
            "{new} replaced {old} as the frame of {pilot}, with its points but for {lost} beyond the limit; "
            "upgrades on record: {total}",
            new=new,
            old=old,
            pilot=pilot,
            lost=join_parts(lost),
            total=total,
        )
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


def _raised(event: e.PointAllocated, name: Name) -> Sentence:
    pilot, attribute = name(event.pilot), name_of_key(event.attribute)
    if event.from_ == BLANK:
        return say("{pilot} now has {attribute}: {after}", pilot=pilot, attribute=attribute, after=event.to)
    return say(
        "{pilot} raised {attribute} from {before} to {after}",
        pilot=pilot,
        attribute=attribute,
        before=event.from_,
        after=event.to,
    )


def _lowered(event: e.PointLost, name: Name) -> Sentence:
    """A point is taken back. The table's dash for no die would be hard to read in a sentence."""
    pilot, attribute, before = name(event.pilot), name_of_key(event.attribute), event.from_
    if event.to == BLANK:
        return say("{pilot} gave up {attribute} ({before})", pilot=pilot, attribute=attribute, before=before)
    return say(
        "{pilot} lowered {attribute} from {before} to {after}",
        pilot=pilot,
        attribute=attribute,
        before=before,
        after=event.to,
    )


def _advanced(event: e.CategoryAdvanced, name: Name) -> Sentence:
    sentence = say(
        "{pilot} advanced {category} to {maximum} points, {unspent} of them unspent",
        pilot=name(event.pilot),
        category=name_of_key(event.category),
        maximum=event.maximum_after,
        unspent=event.unspent_after,
    )
    return _with_remark(sentence, event.explanation)


def _experimental(event: e.ExperimentalInstalled, name: Name) -> Sentence:
    """A part that cannot be bought; it does nothing for an attribute without a die (FS-A7)."""
    parts: dict[str, str | Sentence] = {
        "pilot": name(event.pilot),
        "attribute": name_of_key(event.attribute),
        "value": f"{event.value:+}",
        "total": f"{event.bonus_total:+}",
    }
    sentence = say("{pilot} got an experimental upgrade: {attribute} {value}, {total} in all", **parts)
    if event.offer == BLANK:
        sentence = say(
            "{pilot} got an experimental upgrade: {attribute} {value}, {total} in all, idle until it has a die",
            **parts,
        )
    return _with_remark(sentence, event.note)


def _with_remark(sentence: Sentence, remark: str | None) -> Sentence:
    """A sentence with a remark of the player or GM."""
    return in_a_row([sentence, f"({remark})"], " ") if remark else sentence


TELL = tellers(
    on(e.CatalogueDefined, _catalogue),
    on(e.RoleAssigned, _role),
    on(e.SessionStarted, _session),
    on(e.PilotCreated, _created),
    on(e.PilotAdopted, _adopted),
    on(e.PilotAssigned, lambda _, __: ""),  # the campaign's own event says to whom
    on(PilotEntered, lambda event, _: came(event.pilot.name, event.anew)),
    on(FrameEntered, lambda event, _: came(event.frame.name, event.anew)),
    on(UnitEntered, lambda event, _: came(event.unit.name, event.anew)),
    on(e.UnitCreated, lambda event, _: say("{unit} entered the world, an NPC of the Handler's", unit=event.name)),
    on(FrameReplacementAsked, _replacement_asked),
    on(FrameReplacementDeclined, _declined),
    on(
        e.FrameCreated,
        lambda event, name: say(
            "{pilot} climbed into a new frame, {frame}", pilot=name(event.pilot_id), frame=event.name
        ),
    ),
    on(e.FrameLost, _lost),
    on(e.FrameReplaced, _replaced),
    on(
        e.SalvageCredited,
        lambda event, name: say(
            "The wreck of {frame} was salvaged for {amount} towards refits",
            frame=name(event.frame),
            amount=money(event.amount),
        ),
    ),
    on(e.PointAllocated, _raised),
    on(e.PointLost, _lowered),
    on(
        e.PointGranted,
        lambda event, name: say(
            "{pilot} keeps the freed point of {category} for later",
            pilot=name(event.pilot),
            category=name_of_key(event.category),
        ),
    ),
    on(e.CategoryAdvanced, _advanced),
    on(
        e.UpgradeCostRecorded,
        lambda event, name: say(
            "Upgrades of {frame} have cost {total} so far",
            frame=name(event.frame),
            total=money(event.total_after),
        ),
    ),
    on(e.ExperimentalInstalled, _experimental),
    *narration_tests.TELL.items(),
    *narration_money.TELL.items(),
)
