"""The meaning of an id that a command leaves out: the asker's own candidate, the only one, or all of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec import structs

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import Sentence

Thing = TypeVar("Thing")
Message: TypeAlias = Sentence | Callable[[Sequence[Thing]], Sentence]


def the_one(
    context: CommandContext,
    field: str,
    candidates: Iterable[Thing],
    own: Callable[[Thing], bool] | None = None,
    *,
    code: str,
    message: Message[Thing],
    rule: str,
    describe: Callable[[Thing], str | dict[str, str]],
    none: Callable[[], Rejection] | None = None,
    id_of: Callable[[Thing], str] | None = None,
) -> Thing:
    """The asker's only `own` candidate, else the only candidate; writes its id to `context.filled[field]`.

    A command that is re-decided means the candidate that it was about then, if exactly one of the candidates was
    (else raises `other_subject`).

    `describe` returns a choice as a client may show it: its id, or an object with the id under the name of the
    field; `id_of` returns the id where neither holds it. Raises the result of `none` where there is no candidate,
    else `code` with the choices; `message` may be a function of the choices.
    """

    def key_of(candidate: Thing) -> str:
        description = describe(candidate) if id_of is None else id_of(candidate)
        return description if isinstance(description, str) else description[field.rpartition(".")[2]]

    everything = [candidate for candidate in candidates if key_of(candidate) not in context.out_of_story]
    choices = ([candidate for candidate in everything if own(candidate)] if own is not None else []) or everything
    if not choices and none is not None:
        raise none()
    if context.meant_ids is not None:
        about = context.meant_ids()
        matches = [candidate for candidate in everything if key_of(candidate) in about]
        choices = matches if len(matches) == 1 else choices
        if len(choices) != 1:
            raise Rejection("other_subject", "Without it, this would be about something else.", rule=rule)
    if len(choices) != 1:
        sentence = message if isinstance(message, Sentence) else message(choices)
        raise Rejection(code, sentence, rule=rule, choices=[describe(candidate) for candidate in choices])
    context.filled[field] = key_of(choices[0])
    return choices[0]


def all_of(context: CommandContext, field: str, candidates: Iterable[str]) -> list[str]:
    """The ids of all candidates; also written to `context.filled[field]`.

    A command that is re-decided means only those that it was about then.
    """
    about = context.meant_ids() if context.meant_ids is not None else None
    ids = context.filled[field] = [
        id_ for id_ in candidates if id_ not in context.out_of_story and (about is None or id_ in about)
    ]
    return ids


def explicit(command: Any, filled: Mapping[str, Any]) -> Any:
    """The command with the values of `filled` in its fields; `acting.test_id` is the `test_id` of its `acting`."""
    for field, value in filled.items():
        name, _, inner = field.partition(".")
        part = explicit(getattr(command, name), {inner: value}) if inner else value
        command = structs.replace(command, **{name: part})
    return command
