"""What a command means that leaves an id out: the asker's own, else the only one, else they say; or all."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec import structs

from domain.command_context import Asked
from domain.rejection import Rejection
from domain.sentences import Sentence

Thing = TypeVar("Thing")
Message: TypeAlias = Sentence | Callable[[Sequence[Thing]], Sentence]


def the_one(
    asked: Asked,
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
    """The only one of the asker's `own` candidates, else the only candidate; `asked.filled` has its id by `field`.

    Where the command was decided before, it is the candidate that it was about then, if only one was; nobody is
    asked to say more (`other_subject`).

    `describe` is a choice as a client may show it: its id, or a table with the id under the name of the field;
    `id_of` says the id where it is not in there.
    Where there is no candidate it raises what `none` gives. Otherwise it refuses `code` with the choices;
    `message` may be made of them.
    """

    def said(each: Thing) -> str:
        chosen = describe(each) if id_of is None else id_of(each)
        return chosen if isinstance(chosen, str) else chosen[field.rpartition(".")[2]]

    everything = [*candidates]
    choices = ([each for each in everything if own(each)] if own is not None else []) or everything
    if not choices and none is not None:
        raise none()
    if asked.meant is not None:
        about = asked.meant()
        meant = [each for each in everything if said(each) in about]
        choices = meant if len(meant) == 1 else choices
        if len(choices) != 1:
            raise Rejection("other_subject", "Without it, this would be about something else.", rule=rule)
    if len(choices) != 1:
        told = message if isinstance(message, Sentence) else message(choices)
        raise Rejection(code, told, rule=rule, choices=[describe(each) for each in choices])
    asked.filled[field] = said(choices[0])
    return choices[0]


def all_of(asked: Asked, field: str, candidates: Iterable[str]) -> list[str]:
    """All candidates, by their ids; `asked.filled` has them by `field`.

    Where the command was decided before, they are those that it was about then.
    """
    about = asked.meant() if asked.meant is not None else None
    found = asked.filled[field] = [each for each in candidates if about is None or each in about]
    return found


def explicit(command: Any, filled: Mapping[str, Any]) -> Any:
    """The command with everything said that it left out; `acting.test_id` is the `test_id` of its `acting`."""
    for field, value in filled.items():
        name, _, inner = field.partition(".")
        said = explicit(getattr(command, name), {inner: value}) if inner else value
        command = structs.replace(command, **{name: said})
    return command
