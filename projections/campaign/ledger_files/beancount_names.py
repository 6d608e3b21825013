"""Names of accounts and currencies as Beancount takes them, one to one, and back.

Beancount wants capitals: `world:starting_currency` is `Equity:World:StartingCurrency`, `mk2` is `MK2`. Characters
that it does not take are written by their number between two signs that no name here has: `Z2eZ` in an account,
`'E9'` in a currency.
"""

import re
from hashlib import blake2b

from domain.campaign.play.ledger_accounts import WORLD

OWN_ROOT, WORLD_ROOT = "Assets", "Equity"
"""The roots of accounts: those of people and of the group, and those of the world."""

EMPTY_PART = "ZZ"
_FIRST = re.compile(r"[a-y0-9]")
_SIGNS = re.compile(r"_[a-y]|.", re.DOTALL)
_PLAIN = re.compile(r"[a-z0-9-]")

CURRENCY_MAX = 24
"""The most characters that every Beancount from 2.3 on reads."""
LONG_PREFIX, PREFIX, SUFFIX = "X..", "X.", ".X"
HASH_BYTES = 10
RESERVED = {"TRUE", "FALSE", "NULL"}
"""Words of Beancount's own."""
_OF_CURRENCY = re.compile(r"[a-z0-9_-]")


def beancount_account(account: str) -> str:
    """An account as Beancount names it."""
    root = WORLD_ROOT if account.partition(":")[0] == WORLD else OWN_ROOT
    return ":".join([root, *(_component(part) for part in account.split(":"))])


def beancount_currency(currency: str) -> str:
    """A currency as Beancount names it; a name that is too long becomes a hash of itself."""
    body = "".join(sign.upper() if _OF_CURRENCY.fullmatch(sign) else f"'{ord(sign):X}'" for sign in currency)
    written = PREFIX + body if not body[:1].isalpha() or body in RESERVED else body
    if not body[-1:].isalnum() or len(body) == 1:
        written += SUFFIX
    if len(written) <= CURRENCY_MAX:
        return written
    return LONG_PREFIX + blake2b(currency.encode(), digest_size=HASH_BYTES).hexdigest().upper()


def _component(part: str) -> str:
    if not part:
        return EMPTY_PART
    first = part[0].upper() if _FIRST.fullmatch(part[0]) else _numbered(part[0])
    return first + "".join(map(_sign, _SIGNS.findall(part[1:])))


def _sign(sign: str) -> str:
    if len(sign) > 1:
        return sign[1].upper()
    is_plain = _PLAIN.fullmatch(sign) or (sign.isalpha() and not sign.isascii())
    return sign if is_plain else _numbered(sign)


def _numbered(sign: str) -> str:
    return f"Z{ord(sign):x}Z"
