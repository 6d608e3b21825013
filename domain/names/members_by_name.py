"""Members by name where a command wants an account: `player: "Dana"`, `debit: "player:dana"`.

An account is not personal text, so names are replaced by ids in the request before it is decoded: the log keeps
ids. Accounts of the ledger that end in a character's name are found in the same way (`pilot:Mara`).
"""

from collections.abc import Callable, Mapping
from typing import Any, get_args, get_type_hints
from uuid import UUID

from msgspec import Struct, structs

from domain.campaign.command_request import AnyPlayCommand
from domain.campaign.lifecycle.imported_people import strangers
from domain.campaign.messages.base_types import Account
from domain.campaign.play.characters import characters, titles
from domain.campaign.state import CampaignState
from domain.ids import AccountId, is_born
from domain.names.name_resolution import PEOPLE, as_compared, kind_of, parts_of
from domain.personal_text import Somebody
from domain.rejection import Missing, Rejection
from domain.sentences import Sentence, say
from domain.type_cache import once_per_kind

PERSON = "person"
"""The field of a command that names a person of an import, who is no member."""

OF_MEMBERS = ("member", "player")
"""The prefixes of ledger accounts that end in a member's id."""

Find = Callable[[str, str, bool], str]
"""Finds what a word in a field stands for; called only for words that may be names.

Where the field may hold other words than members' names, an unknown name stays as it is.
"""

_KINDS: Mapping[str, type[Struct]] = {kind.__struct_config__.tag: kind for kind in get_args(AnyPlayCommand)}


@once_per_kind
def names_accounts(kind: type[Struct]) -> bool:
    """Whether a command, or a part of it, has fields for ledger accounts, which may be given by name."""
    return any(
        part in (Account, Somebody)
        or (isinstance(part, type) and issubclass(part, Struct) and names_accounts(part))
        for hint in get_type_hints(kind, include_extras=True).values()
        for part in (hint, *parts_of(hint))
    )


def has_names(request: Any) -> bool:
    """Whether a request may hold names in place of accounts."""
    words = []

    def note(_: str, word: str, _any: bool) -> str:
        words.append(word)
        return word

    _with_accounts(request, note)
    return bool(words)


def with_accounts(request: Any, state: CampaignState, member_names: Mapping[AccountId, str]) -> Any:
    """The request with accounts for names, as its asker knows the campaign; `member_names` has the members' names.

    Raises `ambiguous_name`, and `unknown_member` with the members to choose from.
    """
    members = {str(account): name for account, name in member_names.items()}
    unknown = {str(character): name for character, name in strangers(state).items()}
    people = {str(each.character): each.name for each in characters(state)}

    def find(field: str, word: str, anybody: bool) -> str:
        kind, _, name = ("", "", word) if anybody else word.rpartition(":")
        if kind and (word in state.balances or word in titles(state)):
            return word
        there = members if kind in ("", *OF_MEMBERS) else {k: n for k, n in people.items() if kind_of(k) == kind}
        if field == PERSON:
            there = unknown
        prefix = f"{kind}:" if kind else ""
        matches = _matches(name, there) or _matches(name, _left_purses(state, prefix))
        if len(matches) == 1:
            return prefix + next(iter(matches))
        others = unknown if field == PERSON else members
        choices = [{field: prefix + id_, "name": n} for id_, n in (matches or others).items()]
        if matches:
            raise _ambiguous(name, choices)
        if field == PERSON:
            raise Rejection(
                "unknown_person", say("No person of the import is called {name}.", name=name), choices=choices
            )
        if not kind and not anybody:
            raise Rejection("unknown_member", _nobody(name), choices=choices)
        return word

    return _with_accounts(request, find)


def member_called(word: str, member_names: Mapping[AccountId, str]) -> AccountId:
    """The member with this id or name; `member_names` has the names of all.

    Raises `ambiguous_name`, and `unknown_member` with the members to choose from.
    """
    members = {str(account): name for account, name in member_names.items()}
    matches = [word] if word in members else [*_matches(word, members)]
    if len(matches) == 1:
        return AccountId(UUID(matches[0]))
    choices = [{"as": account, "name": members[account]} for account in matches or members]
    raise _ambiguous(word, choices) if matches else Missing("unknown_member", _nobody(word), choices=choices)


def _matches(name: str, there: Mapping[str, str]) -> dict[str, str]:
    """The things with this name: exactly, else but for case, accents and dashes."""
    matches = {id_: n for id_, n in there.items() if as_compared(n) == as_compared(name)}
    return {id_: n for id_, n in matches.items() if n == name} or matches


def _left_purses(state: CampaignState, prefix: str) -> dict[str, str]:
    """The people of an imported campaign who are no accounts here and have money under this prefix."""
    return {
        str(person): name
        for person, name in state.imported_people.items()
        if f"{prefix}{person}" in state.balances
    }


def _ambiguous(name: str, choices: list[dict[str, str]]) -> Rejection:
    sentence = say("More than one thing here is called {name}: choose one by its id.", name=name)
    return Rejection("ambiguous_name", sentence, choices=choices)


def _nobody(name: str) -> Sentence:
    if _is_uuid(name):
        return say("Nobody with that account is a member of this campaign.")
    return say("No member here is called {name}.", name=name)


def _with_accounts(request: Any, find: Find) -> Any:
    """The value with names replaced by the results of `find`; a value that is no command stays as it is."""
    command = request.get("command") if isinstance(request, dict) else None
    kind = _KINDS.get(str(command.get("type"))) if isinstance(command, dict) else None
    return {**request, "command": _filled(command, kind, "", find)} if kind is not None else request


def _filled(value: Any, hint: Any, field: str, find: Find) -> Any:
    hints = (hint, *parts_of(hint))
    match value:
        case str():
            return find(field, value, Somebody in hints) if _may_be_name(value, hints) else value
        case list():
            return [_filled(element, hint, field, find) for element in value]
        case dict():
            kind = next((kind for kind in hints if _is_of(kind, value)), None) or _ordered(hints, value)
            if kind is None:
                return value
            of_fields = get_type_hints(kind, include_extras=True)
            wire_hints = {
                field_info.encode_name: of_fields[field_info.name] for field_info in structs.fields(kind)
            }
            return {
                key: _filled(part, wire_hints[key], key, find) if key in wire_hints else part
                for key, part in value.items()
            }
        case _:
            return value


def _ordered(hints: tuple[Any, ...], value: dict[str, Any]) -> type[Struct] | None:
    """The command within an order, which any object may be."""
    return _KINDS.get(str(value.get("type"))) if Any in hints else None


def _may_be_name(word: str, hints: tuple[Any, ...]) -> bool:
    if Somebody in hints:
        return not (is_born(word) or _is_uuid(word))
    kind, _, owner = word.rpartition(":")
    is_meant = AccountId in hints if not kind else Account in hints and kind in (*OF_MEMBERS, *PEOPLE)
    return is_meant and bool(owner) and not (is_born(owner) or _is_uuid(owner))


def _is_uuid(word: str) -> bool:
    try:
        UUID(word)
    except ValueError:
        return False
    return True


def _is_of(hint: Any, value: dict[str, Any]) -> bool:
    """Whether an object is of that kind, by its type where that tells."""
    return (
        isinstance(hint, type)
        and issubclass(hint, Struct)
        and hint.__struct_config__.tag in (None, value.get("type"))
    )
