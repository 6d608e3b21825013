"""Terms that Mobile Frame's sentences share: players, distances, scores."""

from collections.abc import Iterable, Mapping

from domain.sentences import Sentence, in_a_row, join_parts, say, say_many
from domain.systems.mobile_frame.state import account_of, company_id
from projections.narration_tables import Name


def who(player: str, name: Name) -> str:
    """A player by their account's name, or the company that a GM leads."""
    account = account_of(player)
    if account is not None:
        return name(account)
    company = company_id(player)
    company_name = name(company)
    return player if company_name == company else company_name


def dice(count: int) -> Sentence:
    """A number of dice."""
    return say_many("{n} die", "{n} dice", count)


def units(count: int) -> Sentence:
    """A distance."""
    return say_many("{n} unit", "{n} units", count)


def names(players: Iterable[str], name: Name) -> list[str]:
    """The players' names, sorted."""
    return sorted(who(player, name) for player in players)


def ranked(scores: Mapping[str, int], name: Name) -> Sentence:
    """The highest score first, equal ones together: `Mei and Tomas (14), Otto (9)`."""
    places: dict[int, list[str]] = {}
    for player, score in scores.items():
        places.setdefault(score, []).append(player)
    return in_a_row(
        say("{players} ({score})", players=join_parts(names(players, name)), score=score)
        for score, players in sorted(places.items(), reverse=True)
    )
