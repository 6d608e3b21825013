"""A Merkle tree over secret keys: its root commits to all of them, and each can be proved alone.

A leaf is the SHA-256 of a zero byte and the key, a node that of a one byte and its two children. The number of
keys is a power of two.
"""

from collections.abc import Sequence
from hashlib import sha256


def root(keys: Sequence[bytes]) -> bytes:
    """The root of the tree over these keys, in this order."""
    level = [_leaf(key) for key in keys]
    while len(level) > 1:
        level = _above(level)
    return level[0]


def path(keys: Sequence[bytes], place: int) -> list[bytes]:
    """The sibling hashes from a key up to the root."""
    level = [_leaf(key) for key in keys]
    neighbours = []
    while len(level) > 1:
        neighbours.append(level[place ^ 1])
        level, place = _above(level), place // 2
    return neighbours


def climbed(key: bytes, place: int, neighbours: Sequence[bytes]) -> bytes:
    """The root computed from a key, its place and its siblings; a true key gives the committed root."""
    node = _leaf(key)
    for neighbour in neighbours:
        node = _node(neighbour, node) if place & 1 else _node(node, neighbour)
        place //= 2
    return node


def _leaf(key: bytes) -> bytes:
    return sha256(b"\0" + key).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def _above(level: Sequence[bytes]) -> list[bytes]:
    return [_node(left, right) for left, right in zip(level[::2], level[1::2], strict=True)]
