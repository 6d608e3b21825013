"""The relationships of Angst in words, and as tables."""

from domain.sentences import Sentence, say, say_many
from projections.drawings.board_parts import Figure, Table, Words, in_a_line, item, tables
from projections.systems.angst.boards import Bond, Node, RelationshipWeb


def told_of(board: RelationshipWeb) -> Sentence:
    """The web in a sentence."""
    if not board.bonds:
        return say("Nobody has a Relationship yet.")
    return say_many("{n} Relationship", "{n} Relationships", len(board.bonds))


def short(grade: str) -> str:
    """A grade as it stands on a line."""
    return grade.replace("Critical ", "Crit. ").replace("-", "\u2212")


def person(each: Node, board: RelationshipWeb, words: Words) -> str:
    """A person with what they feel, in full."""
    names = {node.id: node.name for node in board.people}
    felt = [f"{names[bond.toward]}: {short(bond.grade)}" for bond in board.bonds if bond.who == each.id]
    kind = words.value(Node, "kind", each.kind) if each.kind is not None else None
    status = words.value(Node, "status", each.status).lower() if each.status not in (None, "active") else None
    return in_a_line(each.name, kind, status, *felt)


def web_tables(board: RelationshipWeb, words: Words) -> list[Table]:
    """Every Relationship as its owner feels it, and the people."""
    names = {each.id: each.name for each in board.people}
    header = words.header(Bond, "who", "toward", "grade", "modifier", "since_session", "answered")
    bonds = [
        [
            names[each.who],
            names[each.toward],
            Figure(short(each.grade), "bonds", item(each.who, each.toward), "grade"),
            Figure(
                f"{each.modifier:+}".replace("-", "\u2212") if each.modifier else "0",
                *("bonds", item(each.who, each.toward), "modifier"),
            ),
            Figure(each.since_session or "", "bonds", item(each.who, each.toward), "since_session"),
            Figure(short(each.answered or ""), "bonds", item(each.who, each.toward), "answered"),
        ]
        for each in board.bonds
    ]
    people = [[each.name, words.value(Node, "kind", each.kind) if each.kind else ""] for each in board.people]
    return tables(
        Table(words.field(RelationshipWeb, "bonds"), header, bonds),
        Table(words.field(RelationshipWeb, "people"), words.header(Node, "name", "kind"), people),
    )
