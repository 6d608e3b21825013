"""The relationships of Angst in words, and as tables."""

from domain.sentences import Sentence, say, say_many
from projections.drawings.board_parts import Figure, Table, Words, in_a_line, item, tables
from projections.systems.angst.boards import Bond, Node, RelationshipWeb


def board_sentence(board: RelationshipWeb) -> Sentence:
    """The web in a sentence."""
    if not board.bonds:
        return say("Nobody has a Relationship yet.")
    return say_many("{n} Relationship", "{n} Relationships", len(board.bonds))


def short(grade: str) -> str:
    """A grade as it stands on a line."""
    return grade.replace("Critical ", "Crit. ").replace("-", "\u2212")


def person(person: Node, board: RelationshipWeb, words: Words) -> str:
    """A person with what they feel, in full."""
    names = {node.id: node.name for node in board.people}
    felt = [f"{names[bond.toward]}: {short(bond.grade)}" for bond in board.bonds if bond.who == person.id]
    kind = words.value(Node, "kind", person.kind) if person.kind is not None else None
    status = words.value(Node, "status", person.status).lower() if person.status not in (None, "active") else None
    return in_a_line(person.name, kind, status, *felt)


def web_tables(board: RelationshipWeb, words: Words) -> list[Table]:
    """Every Relationship as its owner feels it, and the people."""
    names = {node.id: node.name for node in board.people}
    header = words.header(Bond, "who", "toward", "grade", "modifier", "since_session", "answered")
    bonds = [
        [
            names[bond.who],
            names[bond.toward],
            Figure(short(bond.grade), "bonds", item(bond.who, bond.toward), "grade"),
            Figure(
                f"{bond.modifier:+}".replace("-", "\u2212") if bond.modifier else "0",
                *("bonds", item(bond.who, bond.toward), "modifier"),
            ),
            Figure(
                bond.since_session if bond.since_session > 0 else "",  # 0: before the first
                *("bonds", item(bond.who, bond.toward), "since_session"),
            ),
            Figure(short(bond.answered or ""), "bonds", item(bond.who, bond.toward), "answered"),
        ]
        for bond in board.bonds
    ]
    people = [[node.name, words.value(Node, "kind", node.kind) if node.kind else ""] for node in board.people]
    return tables(
        Table(words.field(RelationshipWeb, "bonds"), header, bonds),
        Table(words.field(RelationshipWeb, "people"), words.header(Node, "name", "kind"), people),
    )
