"""French elision and typography where a sentence meets its parts: « d'Otto », « qu'Anvil », « 6 768 ».

Translations write `l'attaque de {who}`; the part is only known when the sentence is rendered. A short word elides
before a vowel and before a mute h. Spelling does not show whether an h is mute: the stems below are, in a name as
well as in a word (« d'Hydra », « d'honneur »); before every other h nothing is elided, because « de Hugo » is
readable and « d'Harrier » is not. A translation that would have to contract (`de le`) is phrased otherwise.
"""

import re
import unicodedata

_ELIDES = re.compile(
    r"(?<![\w\u2019-])(de|que|la|le|je|ne|se|me|te|ce|jusque|lorsque|puisque|quoique) $", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+")
_CARRY_ON = ("oui", "onz", "ouistiti", "uhlan", "ululement", "yaourt")
_MUTE_H = re.compile(
    "ha(bi|bl|bit|lein|llucin|lt[eè]r|me[cç]on|rmoni)|h[eé](bdo|ctare|li[cko]|l[eè]ne|lo[iï]s|mi|mo|rb|r[eé]d|rit|sit)|"
    "h[eé]ro[iï][nqs]|heur(e|eu[xs])|hi(er$|ppo|rondelle|sto|ver)|ho(m(ici|m|o)|nn[eê]|nor|pit|ra[ci]|riz|rlog|rre|rri|"
    "spi|st[ei])|hô(pit|tel|te)|hu(il|ma|me|mi)|hy[^\\W\\d_]"
)

_APOSTROPHE = "\u2019"
_GROUP = 1000
_NBSP, _THIN = "\u00a0", "\u202f"


def joint(before: str, part: str) -> str:
    """The text so far and the part that follows, with elision between them."""
    little = _ELIDES.search(before)
    if little is None or not _elided_before(part):
        return before + part
    if little[1].casefold() == "ce":
        return f"{before[:-1]}t {part}"
    return f"{before[:-2]}{_APOSTROPHE}{part}"


def sign(between: str) -> str:
    """The separator between the parts of a list, with the space that French puts before it."""
    return re.sub("^(?=[;!?])", _THIN, re.sub("^(?=:)", _NBSP, between))


def number(n: int) -> str:
    """A number with its thousands separated."""
    return f"{n:,}".replace(",", _THIN) if abs(n) >= _GROUP else str(n)


def _elided_before(part: str) -> bool:
    word = _WORD.match(part)
    if word is None or len(word[0]) == 1:  # a figure, a quotation mark, or a letter by its name: « de A à B »
        return False
    folded = word[0].casefold()
    first, second = (unicodedata.normalize("NFD", letter)[0] for letter in folded[:2])
    if folded.startswith(_CARRY_ON):
        return False
    if first == "h":
        return _MUTE_H.match(folded) is not None
    return second not in "aeiou" if first == "y" else first in "aeiouœæ"
