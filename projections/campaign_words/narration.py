"""A campaign's own events as sentences."""

from typing import get_args
from uuid import UUID

from domain import lifecycle_events as table
from domain.campaign import events as c
from domain.campaign.calendar.campaign_time import DAY_SECONDS, HOUR_SECONDS
from domain.campaign.calendar_shapes import MONTHS
from domain.campaign.events import FounderChanged
from domain.campaign.messages import downtime, escrow, next_session, things, timers
from domain.campaign.messages.archive import CampaignArchived, CampaignUnarchived
from domain.campaign.messages.character_arrivals import ArrivalAgreed, ArrivalAsked, ArrivalDeclined
from domain.campaign.messages.character_retirement import CharacterCameBack, CharacterRetired
from domain.campaign.messages.deletion_request import DeletionAsked, DeletionDeclined
from domain.campaign.messages.imports import (
    CampaignImported,
    ImportCompleted,
    PersonIdentified,
    PurseHandedOver,
)
from domain.campaign.messages.names import Renamed
from domain.campaign.messages.text_erasure import TextsErased
from domain.campaign.play.characters import plain_name
from domain.campaign.play.ledger_accounts import FOUND, GROUP, USED_UP
from domain.command_context import Role
from domain.ids import AccountId
from domain.sentences import Sentence, in_a_row, join_parts, number, say, say_many
from domain.systems import SYSTEMS
from projections.campaign_words import narration_dice, narration_history, narration_members, narration_settings
from projections.campaign_words.character_arrivals import asks_to_bring
from projections.campaign_words.narration_history import AboutAction
from projections.entrance_sentences import came
from projections.narration_tables import Name, about, currency_name, on, tellers

CURRENCIES = sorted({currency for system in SYSTEMS.values() for currency in system.currencies})

TERMS = (Role, CURRENCIES, MONTHS)
"""Types whose values are translated as terms."""


def _note(event: c.NoteAdded, name: Name) -> Sentence:
    if event.about is None:
        return say("Note: {text}", text=event.text)
    return say("Note about {about}: {text}", about=name(event.about), text=event.text)


def _created(event: table.CampaignCreated, name: Name) -> Sentence:
    played = join_parts(SYSTEMS[system].title for system in event.systems)
    who = name(event.created_by)
    return say("{who} founded “{campaign}”, played with {systems}", who=who, campaign=event.name, systems=played)


def _renamed(event: Renamed, _: Name) -> Sentence:
    if event.thing is None:
        return say("The campaign is called “{name}” from now on", name=event.name)
    if event.previous is None:
        return say("A title from now on: “{name}”", name=event.name)
    return say("{before} is called {name} from now on", before=event.previous, name=event.name)


def _retired(event: CharacterRetired, name: Name) -> Sentence:
    who = name(event.character)
    sentence = say("{who} is dead", who=who) if event.fate == "dead" else say("{who} has left the story", who=who)
    if event.purse_to is not None:
        heir = in_words(event.purse_to, name)
        sentence = say("{told}, and {heir} gets the purse", told=sentence, heir=heir)
    return say("{told}: {why}", told=sentence, why=event.reason) if event.reason else sentence


def _member_left(event: c.MemberLeft, name: Name) -> Sentence:
    who = name(event.account)
    if event.removed:
        return say("{who} was taken out of the campaign", who=who)
    return say("{who} left the campaign", who=who)


def _assigned(event: c.CharacterAssigned, name: Name) -> Sentence:
    if event.player is None:
        return say("{character} belongs to nobody now", character=name(event.character))
    return say("{character} belongs to {who} now", character=name(event.character), who=name(event.player))


def _purse_handed_over(event: PurseHandedOver, name: Name) -> Sentence:
    return say(
        "{amount} {currency} go along",
        amount=number(event.change),
        currency=currency_name(event.currency, name),
    )


def _sat_down(event: table.SessionStarted, name: Name) -> Sentence:
    present = in_a_row(map(name, event.present)) if event.present else say("nobody")
    if event.title:
        return say(
            "Play session {number}, “{title}”, began with {present}",
            number=event.number,
            title=event.title,
            present=present,
        )
    return say("Play session {number} began with {present}", number=event.number, present=present)


def _attended(event: c.AttendanceMarked, name: Name) -> Sentence:
    who = name(event.account)
    if event.present:
        return say("{who} joined the play session", who=who)
    return say("{who} left the play session", who=who)


def _proposed(event: next_session.DatesProposed, _: Name) -> Sentence:
    dates = in_a_row([said_in_utc(date) for date in event.dates])
    if event.note:
        return say("Proposed for the next play session: {dates} ({note})", dates=dates, note=event.note)
    return say("Proposed for the next play session: {dates}", dates=dates)


def _called_off(event: next_session.DatesCalledOff, _: Name) -> Sentence:
    if event.date is None:
        sentence = say("No date is proposed for the next play session any more")
    else:
        sentence = say("The play session of {date} is off", date=said_in_utc(event.date))
    return say("{told}: {why}", told=sentence, why=event.reason) if event.reason else sentence


def said_in_utc(date: str) -> str:
    """A date of play, told to readers in any time zone: `2026-12-04 19:00 UTC`."""
    return f"{date.removesuffix('Z').replace('T', ' ')} UTC"


def _planned(event: downtime.ActivityPlanned, name: Name) -> Sentence:
    who, takes = name(event.character), span(event.takes)
    return say("{who} wants to spend {span} on “{title}”", who=who, span=takes, title=event.title)


def _stopped(event: downtime.ActivityStopped, name: Name) -> Sentence:
    who, spent_time = name(event.character), span(event.done)
    if event.done == 0:
        return say("{who} leaves it before it has begun: “{title}”", who=who, title=event.title)
    return say("{who} breaks off after {span}: “{title}”", who=who, span=spent_time, title=event.title)


def _deletion_declined(event: DeletionDeclined, name: Name) -> Sentence:
    sentence = say("The campaign is not deleted: {who} is against it", who=name(event.account))
    return say("{told}: {why}", told=sentence, why=event.reason) if event.reason else sentence


def _arrival_asked(event: ArrivalAsked, name: Name) -> Sentence:
    return asks_to_bring(name(event.player), event.name, event.system, event.brings)


def _arrival_declined(event: ArrivalDeclined, name: Name) -> Sentence:
    if event.withdrawn:
        sentence = say(
            "{player} no longer asks to bring in {character}", player=name(event.player), character=event.name
        )
    else:
        sentence = say("{character} does not come in", character=event.name)
    return say("{told}: {why}", told=sentence, why=event.reason) if event.reason else sentence


def _pending(event: escrow.EntryPending, name: Name) -> Sentence:
    amount, currency = number(event.change), currency_name(event.currency, name)
    credit = in_words(event.credit, name)
    if event.debit == FOUND:
        sentence = say_many(
            "{amount} {currency} is set aside for {credit}",
            "{amount} {currency} are set aside for {credit}",
            event.change,
            amount=amount,
            currency=currency,
            credit=credit,
        )
    else:
        sentence = say_many(
            "{amount} {currency} is set aside, from {debit} for {credit}",
            "{amount} {currency} are set aside, from {debit} for {credit}",
            event.change,
            amount=amount,
            currency=currency,
            debit=in_words(event.debit, name),
            credit=credit,
        )
    return _with_reason(sentence, event.reason)


def _with_reason(sentence: Sentence, reason: str | None) -> Sentence:
    return say("{told}: {why}", told=sentence, why=reason) if reason else sentence


def _came(event: c.EntryPosted | escrow.PendingPosted, name: Name) -> Sentence:
    """That an account has something which came from the world."""
    return say(
        "{credit} got {amount} {currency}",
        amount=number(event.change),
        currency=currency_name(event.currency, name),
        credit=in_words(event.credit, name),
    )


def _pending_posted(event: escrow.PendingPosted, name: Name) -> Sentence:
    if event.debit == FOUND:
        return _came(event, name)
    return say(
        "{credit} got {amount} {currency} from {debit}",
        amount=number(event.change),
        currency=currency_name(event.currency, name),
        debit=in_words(event.debit, name),
        credit=in_words(event.credit, name),
    )


def _pending_voided(event: escrow.PendingVoided, name: Name) -> Sentence:
    amount, currency = number(event.change), currency_name(event.currency, name)
    if event.debit == FOUND:
        credit = in_words(event.credit, name)
        return say("{credit} does not get {amount} {currency}", amount=amount, currency=currency, credit=credit)
    debit = in_words(event.debit, name)
    return say("{debit} got {amount} {currency} back", amount=amount, currency=currency, debit=debit)


def _posted(event: c.EntryPosted, name: Name) -> Sentence:
    if event.debit == FOUND:
        return _with_reason(_came(event, name), event.reason)
    amount, currency = number(event.change), currency_name(event.currency, name)
    debit = in_words(event.debit, name)
    if event.credit == USED_UP:
        sentence = say("{debit} used up {amount} {currency}", amount=amount, currency=currency, debit=debit)
    else:
        credit = in_words(event.credit, name)
        sentence = say(
            "{amount} {currency} moved from {debit} to {credit}",
            amount=amount,
            currency=currency,
            debit=debit,
            credit=credit,
        )
    return _with_reason(sentence, event.reason)


def _thing_created(event: things.ThingCreated, _: Name) -> Sentence:
    sentence = say("A thing of the group is called {thing}", thing=event.name)
    return _with_reason(sentence, event.description)


def _thing_entered(event: things.ThingEntered, _: Name) -> Sentence:
    return _with_reason(came(event.name, event.anew), event.description)


def _amount_split(event: things.AmountSplit, name: Name) -> Sentence:
    sentence = say(
        "{amount} {currency} of {debit} are split: {portions}",
        amount=number(event.change),
        currency=currency_name(event.currency, name),
        debit=in_words(event.debit, name),
        portions=join_parts(
            say("{amount} for {account}", amount=number(portion.amount), account=in_words(portion.account, name))
            for portion in event.portions
        ),
    )
    lucky = [in_words(portion.account, name) for portion in event.portions if portion.remainder]
    if lucky:
        sentence = say_many(
            "{told}; the one left over goes to {names}",
            "{told}; the {n} left over go to {names}, one each",
            len(lucky),
            told=sentence,
            names=join_parts(lucky),
        )
    return _with_reason(sentence, event.reason)


def _balances_entered(event: c.BalancesEntered, name: Name) -> Sentence:
    return join_parts(
        say(
            "{account} has {balance} {currency}",
            account=in_words(account, name),
            balance=number(balance),
            currency=currency_name(currency, name),
        )
        for account, balances in event.balances.items()
        for currency, balance in balances.items()
    )


def holder(account: str, name: Name) -> str | None:
    """The owner of a ledger account: `Mara` for `pilot:pilot-5f0c…`; None: it has none."""
    owner = account.partition(":")[2]
    try:
        return name(AccountId(UUID(owner)))
    except ValueError:
        person = name(owner)
    return None if person == owner else person


def account_name(account: str, name: Name) -> str:
    """A ledger account by its title in the chart, else by its owner, else by its id."""
    return _titled(account, name) or account.replace(":", ": ", 1)


def in_words(account: str, name: Name) -> str | Sentence:
    """The same within a sentence; an account without owner is called by its last word."""
    title = _titled(account, name)
    if title is None:
        return say("the group") if account == GROUP else plain_name(account)
    return title


def _titled(account: str, name: Name) -> str | None:
    title = name(account)
    return title if title != account else holder(account, name)


def _about_action(event: AboutAction, name: Name) -> Sentence:
    """An undo or another event about an action that cannot be quoted."""
    return narration_history.tell([event], narration_history.unquoted, name)


def _erased(event: TextsErased, name: Name) -> Sentence:
    """The number of erased texts; never their content."""
    if event.account is not None:
        who = name(event.account)
        return say_many("{n} text of {who} was erased", "{n} texts of {who} were erased", event.texts, who=who)
    return say_many("{n} text was erased", "{n} texts were erased", event.texts)


def span(seconds: int) -> Sentence:
    """A length of game time in words, e.g. `3 days 4 hours`."""
    days, rest = divmod(seconds, DAY_SECONDS)
    hours, rest = divmod(rest, HOUR_SECONDS)
    minutes, rest = divmod(rest, 60)
    parts = [
        *([say_many("{n} day", "{n} days", days)] if days else []),
        *([say_many("{n} hour", "{n} hours", hours)] if hours else []),
        *([say_many("{n} minute", "{n} minutes", minutes)] if minutes else []),
        *([say_many("{n} second", "{n} seconds", rest)] if rest else []),
    ]
    return in_a_row(parts, " ") if parts else say("No time")


TELL = tellers(
    on(c.NoteAdded, _note),
    on(table.CampaignCreated, _created),
    on(c.MemberJoined, lambda event, name: narration_members.joined_as(name(event.account), event.role)),
    on(c.RoleChanged, lambda event, name: narration_members.is_now(name(event.account), event.role)),
    on(c.MemberLeft, _member_left),
    on(c.CharacterAssigned, _assigned),
    on(Renamed, _renamed),
    on(CharacterRetired, _retired),
    about(CharacterCameBack, lambda _, who: say("{who} is back in the story", who=who)),
    on(
        CampaignImported,
        lambda event, _: say(
            "What follows was brought over from another campaign: {events} events, exported {when}",
            events=event.events,
            when=event.exported_at,
        ),
    ),
    on(
        ImportCompleted,
        lambda event, name: say("Everything was brought over, and {who} leads the campaign", who=name(event.gm)),
    ),
    on(
        PersonIdentified,
        lambda event, name: say(
            "{person}, who came over with the import, is {who}", person=name(event.person), who=name(event.account)
        ),
    ),
    on(PurseHandedOver, _purse_handed_over),
    on(CampaignArchived, lambda _, __: say("The campaign was archived")),
    on(CampaignUnarchived, lambda _, __: say("The campaign was taken up again")),
    on(
        FounderChanged,
        lambda event, name: say("{who} has the founder's place from now on", who=name(event.account)),
    ),
    on(
        DeletionAsked,
        lambda event, name: say("{who} asks the founder to let the campaign be deleted", who=name(event.account)),
    ),
    on(DeletionDeclined, _deletion_declined),
    on(ArrivalAsked, _arrival_asked),
    on(ArrivalAgreed, lambda event, _: say("{character} may come in", character=event.name)),
    on(ArrivalDeclined, _arrival_declined),
    on(c.SettingChanged, lambda event, _: narration_settings.tell(event)),
    on(c.EntryPosted, _posted),
    on(c.BalancesEntered, _balances_entered),
    on(things.ThingCreated, _thing_created),
    on(things.ThingEntered, _thing_entered),
    on(things.AmountSplit, _amount_split),
    on(escrow.EntryPending, _pending),
    on(escrow.PendingPosted, _pending_posted),
    on(escrow.PendingVoided, _pending_voided),
    on(table.SessionStarted, _sat_down),
    on(c.AttendanceMarked, _attended),
    on(next_session.DatesProposed, _proposed),
    on(
        next_session.DatesAnswered,
        lambda event, name: say("{who} said when they can play", who=name(event.account)),
    ),
    on(
        next_session.DateChosen,
        lambda event, _: say("The next play session is on {date}", date=said_in_utc(event.date)),
    ),
    on(next_session.DatesCalledOff, _called_off),
    on(table.SessionEnded, lambda event, _: say("Play session {number} ended", number=event.number)),
    on(
        table.SceneStarted,
        lambda event, _: say("Scene: {scene}", scene=event.name) if event.name else say("A scene began"),
    ),
    on(table.SceneEnded, lambda _, __: say("The scene closed")),
    on(
        table.DowntimeStarted,
        lambda event, _: say("Downtime began: {why}", why=event.reason) if event.reason else say("Downtime began"),
    ),
    on(table.DowntimeEnded, lambda _, __: say("Downtime ended")),
    on(
        table.CalendarAdvanced,
        lambda event, _: (
            say("{span} passed", span=span(event.seconds)) if event.seconds else say("No time passed")
        ),
    ),
    on(downtime.ActivityPlanned, _planned),
    about(downtime.ActivityStarted, lambda event, who: say("{who} begins: “{title}”", who=who, title=event.title)),
    on(
        downtime.RequirementMet,
        lambda event, _: say(
            "“{title}” no longer waits for: {requirement}", title=event.title, requirement=event.requirement
        ),
    ),
    about(
        downtime.ActivityFinished, lambda event, who: say("{who} finishes: “{title}”", who=who, title=event.title)
    ),
    on(downtime.ActivityStopped, _stopped),
    on(timers.TimerScheduled, lambda event, _: say("Scheduled: “{title}”", title=event.title)),
    on(timers.TimerCancelled, lambda event, _: say("Cancelled: “{title}”", title=event.title)),
    on(timers.TimerPaused, lambda event, _: say("Paused: “{title}”", title=event.title)),
    on(timers.TimerResumed, lambda event, _: say("“{title}” goes on", title=event.title)),
    on(timers.TimerFired, lambda event, _: say("It is time: “{title}”", title=event.title)),
    on(TextsErased, _erased),
    on(c.Hidden, lambda _, __: say("Something happened that you cannot see")),
    *((kind, _about_action) for kind in get_args(AboutAction)),
    *narration_dice.TELL.items(),
)
