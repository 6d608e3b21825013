"""The fight of Overdrive in words: in a sentence, token by token, and as tables."""

from domain.sentences import Sentence, say, say_many
from domain.systems.overdrive.state import Position
from projections.drawings.board_parts import Figure, Table, Words, as_words, in_a_line, item, passage, tables
from projections.systems.overdrive.boards import AttackStands, DamageGoes, FightBoard, FighterStands

STEPS = 6
"""The steps of a counter."""


def board_sentence(board: FightBoard) -> Sentence:
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
    best = max((defense.successes for defense in attack.defenses), default=None)
    against = f" : {best}" if best is not None else ""
    return f"{as_words(attack.weapon)} {attack.successes}{against}"


def fighter(fighter: FighterStands, words: Words) -> str:
    """A fighter in full: "Orso Galli, ring 4, acting, phase counter 0 of 6"."""
    where = words.say(say("ring {ring}", ring=fighter.position.ring)) if fighter.position is not None else None
    return in_a_line(
        fighter.who.name,
        where,
        words.value(FighterStands, "status", fighter.status).lower() if fighter.status is not None else None,
        words.value(FighterStands, "condition", fighter.condition).lower() if fighter.condition != "fit" else None,
        words.say(
            say(
                "{counter} {value} of {steps}",
                counter=_counter(fighter, words).lower(),
                value=fighter.damage.stands.value,
                steps=STEPS,
            )
        ),
    )


def fight_tables(board: FightBoard, words: Words) -> list[Table]:
    """The fighters in the order of the turn, and the attack under way."""
    fighters = words.header(FighterStands, "who", "place", "status", "position", "mech", "damage", "pm", "cooling")
    return tables(
        Table(
            words.say(say("At a glance")),
            words.header(FightBoard, "turn", "tactical_points", "objective_position"),
            [
                [
                    Figure(board.turn, "turn"),
                    Figure(board.tactical_points, "tactical_points"),
                    _place(board.objective_position, words, "objective_position"),
                ]
            ],
        ),
        Table(words.say(say("Fighters")), fighters, [_row(fighter, words) for fighter in board.fighters]),
        Table(
            words.field(FightBoard, "attack"),
            words.header(AttackStands, "attacker", "target", "weapon", "successes", "defenses"),
            [_attack_row(board.attack, words)] if board.attack is not None else [],
        ),
    )


def _counter(fighter: FighterStands, words: Words) -> str:
    return words.value(DamageGoes, "counter", fighter.damage.counter)


def _row(fighter: FighterStands, words: Words) -> list[str]:
    stands = words.value(FighterStands, "status", fighter.status) if fighter.status is not None else ""
    fit = words.value(FighterStands, "condition", fighter.condition) if fighter.condition != "fit" else ""
    at = ("fighters", item(fighter.who.character))
    cooling = (
        Figure(f"{as_words(key)} → {fighter.weapons[key].ready_on_turn}", *at, "weapons", key, "ready_on_turn")
        for key in fighter.cooling
    )
    return [
        fighter.who.name,
        Figure(fighter.place, *at, "place"),
        in_a_line(stands, fit),
        _place(fighter.position, words, *at, "position"),
        fighter.mech or "",
        Figure(
            f"{_counter(fighter, words)} {fighter.damage.stands.value}/{STEPS}", *at, "damage", "stands", "value"
        ),
        Figure(fighter.pm, *at, "pm"),
        in_a_line(*cooling),
    ]


def _place(position: Position | None, words: Words, *at: str) -> str:
    if position is None:
        return ""
    ring, quadrant = say("ring {ring}", ring=position.ring), say("quadrant {quadrant}", quadrant=position.quadrant)
    return in_a_line(Figure(words.say(ring), *at, "ring"), Figure(words.say(quadrant), *at, "quadrant"))


def _attack_row(attack: AttackStands, words: Words) -> list[str]:
    defenses = in_a_line(
        *(
            passage(
                f"{defense.who.name} ",
                Figure(defense.successes, "attack", "defenses", item(defense.who.character), "successes"),
            )
            for defense in attack.defenses
        )
    )
    nobody = words.say(say("not rolled yet"))
    return [
        attack.attacker.name,
        attack.target.name,
        as_words(attack.weapon),
        Figure(attack.successes, "attack", "successes"),
        defenses or nobody,
    ]
