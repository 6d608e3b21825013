"""Where the dice of an action come from, and what is public to prove them by: seeds, keys and words."""

from collections.abc import Iterable, Iterator
from struct import Struct as Packing
from typing import Literal, NamedTuple

from msgspec import Struct

from domain.campaign.events import DiceWordsAdded, HiddenRollProved
from domain.campaign.state import Epoch
from domain.dice.die_proofs import KEPT_BACK, Proof, read_proof
from domain.sentences import Part, Sentence, number, say
from domain.systems.system import JudgedDie
from projections.campaign.dice_of_action import DiceRoll
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.chronicle import events_of_kind

Kind = Literal["seed", "tree", "key", "secret", "none"]

MESSAGE = Packing(">16sIQI")
"""The inputs that decide a die, without members' words: campaign, epoch, number, and the block, which is nearly
always 0.
"""

UNPLACED = {
    "table": say("They fell on the table of the group and were typed in: nothing can be proved."),
    "server": say("They fell before this campaign had seeds, or in another campaign: nothing can be proved."),
    KEPT_BACK: say(
        "They fell in secret, and their numbers would tell how many other hidden rolls there were. They can be "
        "proved once a game master proves the roll or reveals it."
    ),
}
"""Why dice have no place in an epoch that their reader knows of."""
LONG_AGO = say("Their epoch is older than those that are kept at hand: check the download.")
NOT_ENDED = say("The seed is still secret. It is published when a game master ends the epoch: come back then.")
LOST = say("The seed was lost before it was published: these dice can never be proved.")
KEY_SECRET = say(
    "The key of this hidden roll is still secret. A game master can publish it, or the seed of all hidden rolls "
    "once the epoch has ended."
)


class PlacedDie(Struct, frozen=True):
    """A die with its number, counted from 0 in its epoch or hidden roll, after so many words of members.

    `name` is who or what rolled it, `message` the bytes that decide it, in hexadecimal, without those of words.
    """

    name: str
    sides: int
    face: int
    number: int = 0
    words: int = 0
    message: str = ""


class Source(Struct, frozen=True, kw_only=True):
    """Where dice come from, and how much of it is known."""

    title: Part
    kind: Kind
    """`seed` of open dice, `tree` of all hidden rolls, or `key` of one of them."""
    dice: list[PlacedDie]
    why: Part = ""
    """Why it is secret, or why there is none."""
    epoch: int = 0
    roll: int | None = None
    fingerprint: str = ""
    secret: str = ""
    path: list[str] = []
    """Leads from the key of a roll to the fingerprint."""
    words: list[str] = []
    """The digests that members have added in the epoch, oldest first."""


class _Place(NamedTuple):
    """The common inputs of the dice of one source; `unplaced` is a key of `UNPLACED` where they have no place."""

    unplaced: str = ""
    epoch: int = 0
    roll: int | None = None


async def sources_of(
    application: Application, campaign: VisibleCampaign, rolls: Iterable[DiceRoll]
) -> list[Source]:
    """The dice of some rolls by where they come from, as far as their reader may know."""
    dice_by_place: dict[_Place, list[PlacedDie]] = {}
    for name, die in _each_once(rolls):
        proof = read_proof(die.proof)
        place = _Place(_unplaced(die)) if proof is None else _Place("", proof.epoch, proof.roll)
        dice_by_place.setdefault(place, []).append(_placed(campaign, name, die, proof))
    words = (
        await _words(application, campaign)
        if any(die.words for dice in dice_by_place.values() for die in dice)
        else {}
    )
    keys = await _keys(application, campaign) if any(place.roll is not None for place in dice_by_place) else {}
    epochs = {epoch.epoch: epoch for epoch in campaign.state.dice.epochs}
    return [
        _source(place, dice, epochs.get(place.epoch), keys.get((place.epoch, place.roll)), words)
        for place, dice in dice_by_place.items()
    ]


def _each_once(rolls: Iterable[DiceRoll]) -> Iterator[tuple[str, JudgedDie]]:
    """Every die of some rolls, with who rolled it; one that is told again in the same action only once."""
    proofs: set[str] = set()
    for roll in rolls:
        for die in roll.dice:
            if die.proof not in proofs:
                yield roll.name, die
            if read_proof(die.proof) is not None:
                proofs.add(die.proof)


def _unplaced(die: JudgedDie) -> str:
    return KEPT_BACK if die.proof == KEPT_BACK else die.origin


def _placed(campaign: VisibleCampaign, name: str, die: JudgedDie, proof: Proof | None) -> PlacedDie:
    if proof is None:
        return PlacedDie(name, die.sides, die.face)
    message = MESSAGE.pack(campaign.campaign_id.bytes, proof.epoch, proof.nonce, 0).hex()
    return PlacedDie(name, die.sides, die.face, proof.nonce, proof.words, message)


async def _words(application: Application, campaign: VisibleCampaign) -> dict[int, list[str]]:
    """The digests of what members have added, by epoch."""
    digests: dict[int, list[str]] = {}
    async for event in events_of_kind(application.log, application.views, campaign, DiceWordsAdded):
        digests.setdefault(event.epoch, []).append(event.digest)
    return digests


async def _keys(
    application: Application, campaign: VisibleCampaign
) -> dict[tuple[int, int | None], HiddenRollProved]:
    """The keys of hidden rolls that were published to this reader, by epoch and roll."""
    events = events_of_kind(application.log, application.views, campaign, HiddenRollProved)
    return {(event.epoch, event.roll): event async for event in events}


def _source(
    place: _Place,
    dice: list[PlacedDie],
    epoch: Epoch | None,
    proved: HiddenRollProved | None,
    words: dict[int, list[str]],
) -> Source:
    if place.unplaced:
        whose = say("Dice of the table") if place.unplaced == "table" else say("Dice of the service")
        return Source(title=whose, kind="none", dice=dice, why=UNPLACED[place.unplaced])
    title = (
        say("Dice of the service, epoch {epoch}", epoch=number(place.epoch))
        if place.roll is None
        else say("A hidden roll, epoch {epoch}", epoch=number(place.epoch))
    )
    if epoch is None:
        return Source(title=title, kind="none", dice=dice, why=LONG_AGO)
    kind, secret = _published(place, epoch, proved)
    return Source(
        title=title,
        kind=kind,
        dice=dice,
        why=_why_secret(place, epoch) if kind == "secret" else "",
        epoch=place.epoch,
        roll=place.roll,
        fingerprint=epoch.commitment if place.roll is None else epoch.hidden_commitment,
        secret=secret,
        path=proved.path if kind == "key" and proved is not None else [],
        words=words.get(place.epoch, []),
    )


def _published(place: _Place, epoch: Epoch, proved: HiddenRollProved | None) -> tuple[Kind, str]:
    """The secret that opens dice, and its kind; empty while that is secret."""
    if place.roll is None:
        return ("secret", "") if epoch.seed is None else ("seed", epoch.seed)
    if epoch.hidden_seed is not None:
        return "tree", epoch.hidden_seed
    return ("secret", "") if proved is None else ("key", proved.key)


def _why_secret(place: _Place, epoch: Epoch) -> Sentence:
    if place.roll is not None:
        return KEY_SECRET
    return NOT_ENDED if epoch.ended is None else LOST
