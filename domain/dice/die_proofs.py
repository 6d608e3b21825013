"""A die's place in its epoch, as the text that is stored with it."""

import re
from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints

from msgspec import Struct, structs

from domain.type_cache import once_per_kind

UNPROVEN = "none"
"""The proof of table dice, and of server dice from before the campaign's first epoch."""

KEPT_BACK = "hidden"
"""Replaces a hidden die's proof for readers to whom its number would tell how many other rolls there were."""

_TEXT = re.compile(
    r"(?:open:(\d{1,9}):(\d{1,15})|hidden:(\d{1,9}):(\d{1,9}):(\d{1,15}))(?::w([1-9]\d{0,8}))?", re.ASCII
)


class Proof(Struct, frozen=True):
    """The place of a die. `roll` is the number of its hidden roll (None: an open die).

    `words` is how often members had added words to the epoch's dice before.
    """

    epoch: int
    nonce: int
    roll: int | None = None
    words: int = 0


def after_words(word_count: int) -> str:
    """The end of the proof of a die that was rolled after so many words."""
    return f":w{word_count}" if word_count else ""


def read_proof(text: str) -> Proof | None:
    """The place that a proof names; None for `none`, and for a text that is no proof."""
    match = _TEXT.fullmatch(text)
    if match is None:
        return None
    epoch, nonce, hidden_epoch, roll, hidden_nonce, words = match.groups()
    if epoch is not None:
        return Proof(int(epoch), int(nonce), words=int(words or 0))
    return Proof(int(hidden_epoch), int(hidden_nonce), int(roll), int(words or 0))


def proofs_in(part: Any) -> list[str]:
    """The `proof` of every die in an event, wherever the rules keep dice in it."""
    proofs: list[str] = []
    _gather(part, proofs)
    return proofs


def _gather(part: Any, proofs: list[str]) -> None:
    kind: type = type(part)
    if kind is list:
        for inner in part:
            _gather(inner, proofs)
    elif kind is dict:
        for inner in part.values():
            _gather(inner, proofs)
    else:
        for field in _fields_with_dice(kind):
            if field == "proof":
                proofs.append(part.proof)
            else:
                _gather(getattr(part, field), proofs)


def without_numbers(part: Any, is_public: Callable[[Proof], bool]) -> Any:
    """The event with `KEPT_BACK` as the proof of every hidden die that is not public; itself, if it has none."""
    kind: type = type(part)
    if kind is list:
        inner = [without_numbers(entry, is_public) for entry in part]
        return part if all(new is old for new, old in zip(inner, part, strict=True)) else inner
    if kind is dict:
        within = {key: without_numbers(entry, is_public) for key, entry in part.items()}
        return part if all(within[key] is part[key] for key in part) else within
    changes = {}
    for field in _fields_with_dice(kind):
        old = getattr(part, field)
        new = _public_proof(old, is_public) if field == "proof" else without_numbers(old, is_public)
        if new is not old:
            changes[field] = new
    return structs.replace(part, **changes) if changes else part


def _public_proof(text: str, is_public: Callable[[Proof], bool]) -> str:
    proof = read_proof(text)
    return text if proof is None or proof.roll is None or is_public(proof) else KEPT_BACK


def may_hold_dice(kind: type) -> bool:
    """Whether such a struct may hold a die."""
    return bool(_fields_with_dice(kind))


@once_per_kind
def _fields_with_dice(kind: type) -> tuple[str, ...]:
    if not issubclass(kind, Struct):
        return ()
    hints = get_type_hints(kind)
    return tuple(
        field
        for field in kind.__struct_fields__
        if field == "proof" or any(may_hold_dice(inner) for inner in _structs_in(hints[field]))
    )


def _structs_in(hint: Any) -> Iterator[type[Struct]]:
    """The structs in a type annotation."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for part in get_args(hint):
        yield from _structs_in(part)
