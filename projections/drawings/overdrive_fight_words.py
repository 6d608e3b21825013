"""The fight of Overdrive in words: in a sentence, token by token, and as tables."""

from domain.sentences import Sentence, say, say_many
from domain.systems.overdrive.state import Position
from projections.drawings.board_parts import Table, Words, as_words, in_a_line, tables
from projections.systems.overdrive.boards import AttackStands, DamageGoes, FightBoard, FighterStands

STEPS = 6
"""The steps of a counter."""


def told(board: FightBoard) -> Sentence:
    """The fight in a sentence: the attack under way, or whose turn it is."""
    attack = board.attack
    if attack is not None:
        return say_many(
            "{attacker} attacks {target} ({weapon}, {n} success)",
            "{attacker} attacks {target} ({weapon}, {n} successes)",
            attack.successes,
            attacker=attack.attacker.name,
            target=attack.target.name,
            weapon=as_words(attack.weapon),
        )
    if board.turn is None:
        return say("Initiative is being rolled")
    if board.acting is None:
        return say("Turn {turn}", turn=board.turn)
    return say("Turn {turn}: {who} acts", turn=board.turn, who=board.acting.name)


def on_plate(attack: AttackStands) -> str:
    """The weapon of an attack with its successes, and those of the best defence."""
    best = max((each.successes for each in attack.defenses), default=None)
    against = f" : {best}" if best is not None else ""
    return f"{as_words(attack.weapon)} {attack.successes}{against}"


def fighter(each: FighterStands, words: Words) -> str:
    """A fighter in full: "Orso Galli, ring 4, acting, phase counter 0 of 6"."""
    where = words.say(say("ring {ring}", ring=each.position.ring)) if each.position is not None else None
    return in_a_line(
        each.who.name,
        where,
        words.value(FighterStands, "status", each.status).lower() if each.status is not None else None,
        words.value(FighterStands, "condition", each.condition).lower() if each.condition != "fit" else None,
        words.say(
            say(
                "{counter} {value} of {steps}",
                counter=_counter(each, words).lower(),
                value=each.damage.stands.value,
                steps=STEPS,
            )
        ),
    )


def fight_tables(board: FightBoard, words: Words) -> list[Table]:
    """The fighters in the order of the turn, and the attack under way."""
    fighters = words.header(FighterStands, "who", "place", "status", "position", "mech", "damage", "pm", "cooling")
    return tables(
        Table(words.say(say("Fighters")), fighters, [_row(each, words) for each in board.fighters]),
        Table(
            words.field(FightBoard, "attack"),
            words.header(AttackStands, "attacker", "target", "weapon", "successes", "defenses"),
            [_attack_row(board.attack, words)] if board.attack is not None else [],
        ),
    )


def _counter(each: FighterStands, words: Words) -> str:
    return words.value(DamageGoes, "counter", each.damage.counter)


def _row(each: FighterStands, words: Words) -> list[str]:
    stands = words.value(FighterStands, "status", each.status) if each.status is not None else ""
    fit = words.value(FighterStands, "condition", each.condition) if each.condition != "fit" else ""
    cooling = (f"{as_words(key)} → {each.weapons[key].ready_on_turn}" for key in each.cooling)
    return [
        each.who.name,
        str(each.place or ""),
        in_a_line(stands, fit),
        _place(each.position, words),
        each.mech or "",
        f"{_counter(each, words)} {each.damage.stands.value}/{STEPS}",
        str(each.pm or ""),
        in_a_line(*cooling),
    ]


def _place(position: Position | None, words: Words) -> str:
    if position is None:
        return ""
    quadrant = position.quadrant % 4 + 1
    return words.say(say("ring {ring}, quadrant {quadrant}", ring=position.ring, quadrant=quadrant))


def _attack_row(attack: AttackStands, words: Words) -> list[str]:
    defenses = in_a_line(*(f"{each.who.name} {each.successes}" for each in attack.defenses))
    nobody = words.say(say("not rolled yet"))
    return [
        attack.attacker.name,
        attack.target.name,
        as_words(attack.weapon),
        str(attack.successes),
        defenses or nobody,
    ]
