"""The people of an imported campaign who are no members yet, and what is theirs alone until then."""

from collections import Counter

from msgspec import Struct

from domain.campaign.lifecycle.imported_people import purse_of, strangers
from domain.campaign.play.characters import characters
from domain.campaign.secrecy.audience import accounts_in
from domain.ids import AccountId
from domain.rejection import Forbidden
from domain.sentences import Sentence, join_parts, number, say
from projections.narration_tables import Name, currency_name
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.event_store import EventStore


class PersonOfImport(Struct, frozen=True):
    """A person of an imported campaign; `account` is the member who they are, null: it is not said yet.

    `has_secrets`: something hidden is for them. `purse` is what the ledger's accounts of theirs hold, and
    `characters` are the names of whom they play. Of one who is a member, there is only money that came since.
    """

    person: AccountId
    name: str
    account: AccountId | None
    has_secrets: bool
    purse: dict[str, int]
    characters: list[str]


async def imported_people(log: EventStore, seen: VisibleCampaign) -> list[PersonOfImport]:
    """The people without a member, and the members to whose former name money has come; raises `gm_only`."""
    if seen.role != "gm":
        raise Forbidden("gm_only", seen.text_of(say("Only a GM may say who a person of the import is.")))
    state = seen.state
    unknown = strangers(state)
    late = [person for person in state.stands_for if person in state.imported_people and purse_of(state, person)]
    if not unknown and not late:
        return []
    private = {
        account for each in await log.hidden_visibilities(seen.campaign_id) for account in accounts_in(each)
    }
    played = characters(state)
    people = []
    for person in [*sorted(unknown, key=lambda each: unknown[each]), *late]:
        purse: Counter[str] = Counter()
        for held in purse_of(state, person).values():
            purse.update(held)
        people.append(
            PersonOfImport(
                person=person,
                name=seen.name(person),
                account=state.stands_for.get(person),
                has_secrets=person in private and person in unknown,
                purse=dict(purse),
                characters=[each.name for each in played if each.player == person],
            )
        )
    return people


def theirs_in_words(person: PersonOfImport, name: Name) -> Sentence | None:
    """The things, in words, that a member gets by being named as that person; None: nothing."""
    parts: list[Sentence] = [say("what is hidden for them alone")] if person.has_secrets else []
    parts += [
        say("{amount} {currency}", amount=number(amount), currency=currency_name(currency, name))
        for currency, amount in person.purse.items()
    ]
    if person.characters:
        parts.append(say("the character {names}", names=join_parts(person.characters)))
    return join_parts(parts) if parts else None
