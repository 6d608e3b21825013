"""Everything the table waits for, with the answering commands: one shape on all boards and on the campaign page.

Every listed answer is accepted in the current state, so that a client that reads nothing else can play on.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct, structs

from domain.ids import AccountId
from domain.mechanics.acceptable_commands import TO_FILL_IN, Trial
from domain.sentences import Sentence, say
from domain.systems.system import RuleSystem
from domain.type_cache import once_per_kind

Name = Callable[[Any], str]
Able = Collection[AccountId] | None
"""The accounts that may act in the campaign; None: not known."""


class MayAnswer(Struct, frozen=True):
    """A command that is accepted now, ready to be sent.

    A field listed in `choices` may have any of those values instead, one listed in `numbers` any whole number from
    the least to the most: these are accepted, too. Texts may be added; those in `texts` have to be replaced by
    one's own words.
    """

    command: dict[str, Any]
    choices: dict[str, list[Any]] = {}
    numbers: dict[str, tuple[int, int]] = {}
    texts: list[str] = []


class WaitingFor(Struct, frozen=True):
    """A choice that the table waits for: which command, about what, and whose it is (null: a GM's).

    `name` calls the subject, and `told` is the whole in one sentence. `answers` are for the player waited for,
    `gm_answers` those that a GM may give in their place. `absent` is the player whose choice it was, if a GM has
    it only because the player can no longer act. An `optional` choice blocks no other; a `hidden` one is about
    something that some members do not know, and its answer has to be sent hidden. A request that has the `choice`
    beside its command is refused (`choice_made`) once another answer was given.
    """

    kind: str
    subject: str
    name: str | Sentence
    waits_for: AccountId | None
    waits_for_name: str | None
    told: str | Sentence
    answers: list[MayAnswer]
    gm_answers: list[MayAnswer]
    absent: AccountId | None
    optional: bool
    hidden: bool
    choice: str


def may(
    command: str,
    choices: Mapping[str, Sequence[Any]] | None = None,
    numbers: Mapping[str, tuple[int, int]] | None = None,
) -> MayAnswer:
    """An answer with the first of all `choices` and the least of all `numbers` filled in."""
    choices, numbers = choices or {}, numbers or {}
    first = {key: values[0] for key, values in choices.items()}
    return MayAnswer(
        {"type": command, **first, **{key: least for key, (least, _) in numbers.items()}},
        {key: [*values] for key, values in choices.items() if len(values) > 1},
        {key: (least, most) for key, (least, most) in numbers.items() if least < most},
    )


def as_sent(command: Struct) -> MayAnswer:
    """A command as a client sends it, without fields that may be left out; words to fill in are in its `texts`."""
    left_out = _defaults(type(command))
    fields: dict[str, Any] = msgspec.to_builtins(command)
    sent = {key: value for key, value in fields.items() if key == "type" or value != left_out[key]}
    return MayAnswer(sent, texts=[key for key, value in sent.items() if value == TO_FILL_IN])


@once_per_kind
def _defaults(kind: type[Struct]) -> dict[str, Any]:
    """The defaults of a command's fields, by their names as they are sent."""
    return {field.encode_name: field.default for field in structs.fields(kind)}


class Waiting:
    """Makes the entries of a system's boards; the rules are asked which answers are accepted.

    A choice of a player who may not act any more goes to a GM, who is told how to pass it on. A `trial` that has
    found the answers already is not asked for them again.
    """

    def __init__(
        self, system: RuleSystem, state: Any, name: Name, settings: Any, able: Able, trial: Trial | None = None
    ) -> None:
        self._system = system
        self._name = name
        self._state = state
        self._settings = settings
        self.trial = trial or Trial(system.decide, state, settings, able)

    def entry(
        self,
        kind: str,
        subject: str,
        subject_name: str | Sentence,
        player: AccountId | None,
        sentence: Sentence,
        answers: Iterable[MayAnswer],
        *,
        gm: Iterable[MayAnswer] = (),
        optional: bool = False,
        is_hidden: bool = False,
        tells_who_left: bool = False,
    ) -> WaitingFor:
        """One entry. A GM may give `answers` too, and those of `gm`.

        `tells_who_left`: `sentence` already says that the player has left.
        """
        here, listed, instead = self.trial.here(player), [*answers], [*gm]
        absent = player if here is None else None
        if absent is not None and not tells_who_left:
            sentence = with_absence(sentence, self._name(absent))
        gms = self._accepted([*listed, *(answer for answer in instead if answer not in listed)], None)
        return WaitingFor(
            kind=kind,
            subject=subject,
            name=subject_name,
            waits_for=here,
            waits_for_name=self._name(here) if here is not None else None,
            told=sentence,
            answers=self._accepted(listed, here) if here is not None else gms,
            gm_answers=gms if here is not None else [],
            absent=absent,
            optional=optional,
            hidden=is_hidden,
            choice=self._choices.get((kind, subject), ""),
        )

    @cached_property
    def _choices(self) -> dict[tuple[str, str], str]:
        """The names of all choices, by their kinds and subjects."""
        system, state = self._system, self._state
        choices = (*system.steps(state), *system.pending(state), *system.also_pending(state, self._settings))
        return {(choice.kind, choice.subject): choice.choice for choice in choices}

    def _accepted(self, answers: list[MayAnswer], player: AccountId | None) -> list[MayAnswer]:
        command = self._system.command
        return [answer for answer in answers if self.trial.accepts(command(answer.command), player)]


def with_absence(sentence: Sentence, who: str) -> Sentence:
    """The choice of a player who can no longer act, with how a GM goes on."""
    return say(
        "{told}. {who} can no longer act in this campaign: a GM answers instead, or hands the character to "
        "another member",
        told=sentence,
        who=who,
    )
