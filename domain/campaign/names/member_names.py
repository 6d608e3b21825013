"""Members by name where a command wants an account: `player: "Dana"`, `debit: "player:dana"`.

An account is not personal text, so names are replaced by ids in the request before it is decoded: the log keeps
ids. Accounts of the ledger that end in a character's name are found in the same way (`pilot:Mara`).
"""

from collections.abc import Callable, Mapping
from typing import Any, get_args, get_type_hints
from uuid import UUID

from msgspec import Struct, structs

from domain.campaign.message_types import Account
from domain.campaign.names.name_resolution import PEOPLE, kind_of, parts_of
from domain.campaign.play.characters import characters, titles
from domain.campaign.request import AnyPlayCommand
from domain.campaign.state import CampaignState
from domain.ids import AccountId, is_born
from domain.personal_text import Somebody
from domain.rejection import Missing, Rejection
from domain.sentences import Sentence, say
from domain.type_cache import once_per_kind

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
        each in (Account, Somebody)
        or (isinstance(each, type) and issubclass(each, Struct) and names_accounts(each))
        for hint in get_type_hints(kind, include_extras=True).values()
        for each in (hint, *parts_of(hint))
    )


def has_names(sent: Any) -> bool:
    """Whether a request may hold names in place of accounts."""
    found = []

    def note(_: str, word: str, _any: bool) -> str:
        found.append(word)
        return word

    _with_accounts(sent, note)
    return bool(found)


def with_accounts(sent: Any, known: CampaignState, called: Mapping[AccountId, str]) -> Any:
    """The request with accounts for names, as its asker knows the campaign; `called` has the members' names.

    Raises `ambiguous_name`, and `unknown_member` with the members to choose from.
    """
    members = {str(each): name for each, name in called.items()}
    people = {str(each.character): each.name for each in characters(known)}

    def find(field: str, word: str, anybody: bool) -> str:
        kind, _, name = ("", "", word) if anybody else word.rpartition(":")
        if kind and (word in known.balances or word in titles(known)):
            return word
        there = members if kind in ("", *OF_MEMBERS) else {k: n for k, n in people.items() if kind_of(k) == kind}
        found = _called(name, there)
        prefix = f"{kind}:" if kind else ""
        if len(found) == 1:
            return prefix + next(iter(found))
        choices = [{field: prefix + each, "name": n} for each, n in (found or members).items()]
        if found:
            raise _ambiguous(name, choices)
        if not kind and not anybody:
            raise Rejection("unknown_member", _nobody(name), choices=choices)
        return word

    return _with_accounts(sent, find)


def member_called(said: str, called: Mapping[AccountId, str]) -> AccountId:
    """The member with this id or name; `called` has the names of all.

    Raises `ambiguous_name`, and `unknown_member` with the members to choose from.
    """
    members = {str(each): name for each, name in called.items()}
    found = [said] if said in members else [*_called(said, members)]
    if len(found) == 1:
        return AccountId(UUID(found[0]))
    choices = [{"as": each, "name": members[each]} for each in found or members]
    raise _ambiguous(said, choices) if found else Missing("unknown_member", _nobody(said), choices=choices)


def _called(name: str, there: Mapping[str, str]) -> dict[str, str]:
    """What is called so: exactly, else but for upper and lower case."""
    found = {each: n for each, n in there.items() if n.casefold() == name.casefold()}
    return {each: n for each, n in found.items() if n == name} or found


def _ambiguous(name: str, choices: list[dict[str, str]]) -> Rejection:
    told = say("More than one thing here is called {name}: choose one by its id.", name=name)
    return Rejection("ambiguous_name", told, choices=choices)


def _nobody(name: str) -> Sentence:
    if _is_uuid(name):
        return say("Nobody with that account is a member of this campaign.")
    return say("No member here is called {name}.", name=name)


def _with_accounts(sent: Any, find: Find) -> Any:
    """The value with names replaced by what `find` returns; what cannot be decoded as a command stays as it is."""
    command = sent.get("command") if isinstance(sent, dict) else None
    kind = _KINDS.get(str(command.get("type"))) if isinstance(command, dict) else None
    return {**sent, "command": _filled(command, kind, "", find)} if kind is not None else sent


def _filled(value: Any, hint: Any, field: str, find: Find) -> Any:
    hints = (hint, *parts_of(hint))
    match value:
        case str():
            return find(field, value, Somebody in hints) if _may_be_name(value, hints) else value
        case list():
            return [_filled(each, hint, field, find) for each in value]
        case dict():
            kind = next((each for each in hints if _is_of(each, value)), None) or _ordered(hints, value)
            if kind is None:
                return value
            of_fields = get_type_hints(kind, include_extras=True)
            known = {each.encode_name: of_fields[each.name] for each in structs.fields(kind)}
            return {
                key: _filled(each, known[key], key, find) if key in known else each for key, each in value.items()
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
