"""Random play: whatever people ask, in whatever order, the promises of the rules hold."""

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain import lifecycle_events
from domain.campaign.money.ledger import postings
from domain.rejection import Rejection
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState
from domain.systems.overdrive.tables import TIERS
from projections.narration import tell
from projections.systems.overdrive.sheet import sheet
from tests.domain.overdrive.table import Table
from tests.fold import fold
from tests.languages.messages import translations, unheard

MOVES_IN_A_PLAY = 150
IN_FRENCH = translations("fr", "overdrive")


def a_wish(chance: Random, who: str, me: str, foe: str, *, fight: bool) -> Any:
    dice: Any = {"bonus_dice": chance.randint(0, 8), "hold": chance.random() < 0.1, "character": me}
    relation = f"ines_{who}"
    scene: Any = chance.choice(["social", "field_ops", "mech_repair", "care"])
    in_peace = [
        c.MakeRoll(use="stat:will", skill="social", difficulty=chance.randint(0, 4), **dice),
        c.MakeRoll(use="score:attack", skill="mech_combat", invoke_relation=relation, **dice),
        c.SpendOverdriveSuccess(character=me),
        c.ActivateConfiguration(config=chance.choice(["shield", "boost"]), character=me),
        c.PlayReaction(weight=chance.choice(["staged", "central"]), character=me),
        c.ResolveRelation(relation=relation, stat="will", **dice),
        c.RepairRelation(relation=relation, character=me),
        c.OpenScene(scene=scene),
        c.CloseScene(scene=scene, stat="will", **dice),
        c.SpendRecovery(damage=1, character=me),
        c.SpendRecovery(configs=[chance.choice(["shield", "boost"])], character=me),
        c.AskQuestion(text="Who?", character=me),
        c.StartDuel(
            sides=(
                c.DuelistDraft(character=me, use="stat:will", skill="social"),
                c.DuelistDraft(name="The sea", pool=5, od=3),
            )
        ),
        c.StartDuel(
            sides=(
                c.DuelistDraft(character=me, use="stat:will", skill="social"),
                c.DuelistDraft(character=foe, use="stat:agility", skill="field_ops"),
            )
        ),
        c.RollDuel(invoke_relation=chance.choice([None, None, relation]), character=me),
        c.RollDuel(use="score:defense", skill="engineering", character=me),
        c.DeclineReaction(character=me),
        c.DuelRaise(amount=chance.randint(1, 3)),
        c.DuelFold(),
        c.Advance(stat="will", character=me),
        c.TakeObjective(text="Find her", character=me),
        c.LeaveMech(character=me),
        c.BoardMech(character=me),
    ]
    in_a_fight = [
        c.RollInitiative(**dice),
        c.RollInitiative(**dice),
        c.ActivateConfiguration(config="shield", character=me),
        c.SpendOverdriveSuccess(character=me),
        c.SpendTacticalPoints(item="objective", points=1),
        c.RollMovement(mode=chance.choice(["maneuver", "cover", "advantage"]), **dice),
        c.Move(curves=chance.randint(0, 2), straight=chance.randint(0, 1), character=me),
        c.Protect(whom=foe, character=me),
        *(
            c.DeclareAttack(
                weapon=chance.choice(["rifle", "blade", "blade", "butt"]),
                distance=chance.choice([0, 0, 3]),
                target=foe,
                cinematic=chance.random() < 0.2,
                **dice,
            )
            for _ in range(4)
        ),
        c.RollDefense(hold=dice["hold"]),
        c.ResolveAttack(recoil=chance.randint(0, 1), direction="outward"),
        c.ResolveAttack(),
        c.ChooseStabilisationLoss(config="shield", stay=chance.random() < 0.7, character=me),
        c.ChooseStabilisationLoss(config="boost", character=me),
        c.ChooseStabilisationLoss(weapon="rifle", character=me),
        c.ChooseStabilisationLoss(character=me),
        c.EndTurn(character=me),
        c.DelayTurn(after=foe, character=me),
    ]
    return chance.choice(in_a_fight if fight else in_peace)


def a_gms_wish(chance: Random, people: list[str], *, fight: bool) -> Any:
    me = chance.choice(people)
    if fight and chance.random() < 0.9:
        return chance.choice([c.BeginTurns(), c.EndTurn(), c.RollDefense(), c.ResolveAttack(), c.CloseRoll()])
    return chance.choice(
        [
            c.AllowInvocation(character=me),
            c.CloseRoll(),
            c.PlayReaction(weight="team_tension", character=me),
            c.RecordRevelation(),
            c.StartCombat(surprised=[me] if chance.random() < 0.2 else []),
            c.StartCombat(participants=people),
            c.EndCombat(),
            c.RechargeMech(),
            c.Restore(status="fit", mode="normal", failures=0, character=me),
            c.EndChapter(),
            c.AchieveObjective(character=me),
            c.RecordRecap(awards={me: 2}),
            c.DuelFold(),
        ]
    )


SETTINGS = st.builds(
    Settings,
    tier_reading=st.sampled_from(["strict", "inclusive"]),
    stabilisation_tie=st.sampled_from(["fails", "holds"]),
    phase_counters=st.integers(1, 3),
    reset_on_failure=st.booleans(),
    duel_raise=st.sampled_from(["overtake", "free"]),
    revelation_award=st.sampled_from(["each", "one"]),
    progression=st.sampled_from(["off", "exo_progression"]),
)


def play(house_rules: Settings, chance: Random, moves: int = MOVES_IN_A_PLAY) -> Table:
    """Play random moves at a table of two; a refused one changes nothing."""
    table = Table(house_rules)
    people = {who: table.character(who, od=chance.randint(0, 5)) for who in ("mara", "jun")}
    for _ in range(moves):
        who, other = chance.sample(sorted(people), 2)
        faces = [*(chance.choice([1, 2, 3, 4, 5, 6]) for _ in range(12)), 6]
        fight = table.state.combat is not None and chance.random() < 0.9
        with suppress(Rejection):
            match chance.randint(0, 11):
                case 0:
                    table.follow(
                        chance.choice([lifecycle_events.SceneStarted("s"), lifecycle_events.SceneEnded("s")])
                    )
                    table.follow(lifecycle_events.SessionEnded("s", 1))
                case 1:
                    for owed in OVERDRIVE.owed(table.state):
                        table.do("worker", owed.command)
                case 2 | 3 | 4:
                    table.do("gm", a_gms_wish(chance, sorted(people.values()), fight=fight), faces)
                case _:
                    table.do(who, a_wish(chance, who, people[who], people[other], fight=fight), faces)
    return table


PLAYS = st.randoms(use_true_random=True)
EXAMPLES = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_overdrive_is_conserved_and_every_balance_is_the_sum_of_its_entries(house_rules, chance):
    table = play(house_rules, chance)
    balances: Counter[tuple[str, str]] = Counter()
    flow: Counter[str] = Counter()
    for event in table.events:
        for posting in postings(event):
            assert posting.amount > 0
            balances[posting.debit, posting.currency] -= posting.amount
            balances[posting.credit, posting.currency] += posting.amount
        match event:
            case e.CharacterCreated():
                flow[event.character_id] += event.od_start
            case e.OverdriveGained():
                flow[event.character] += event.amount
            case e.OverdriveRetired():
                flow[event.character] -= event.amount
    for who, character in table.state.characters.items():
        assert character.od.available == balances[f"available:{who}", "overdrive"] >= 0
        assert character.od.spent == balances[f"spent:{who}", "overdrive"] >= 0
        assert character.od.available + character.od.spent == flow[who]
    assert table.state.tactical_points == balances["team:tactical_points", "tactical_points"] >= 0
    reserves = {account: left for (account, _), left in balances.items() if account.startswith("reserve:")}
    assert table.state.duel is not None or not any(reserves.values())


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_no_bought_success_lifts_a_tier_and_chains_explode_exactly_on_ones(house_rules, chance):
    table = play(house_rules, chance)
    major, cinematic = TIERS[house_rules.tier_reading]
    for event in table.events:
        if isinstance(event, e.SuccessAdded):
            assert (event.tier == "none") == (event.natural < major)
            assert (event.tier == "cinematic") == (event.natural >= cinematic)
            assert event.total > event.natural
        if isinstance(event, e.RollMade):
            waves = Counter(die.wave for die in event.dice)
            ones = Counter(die.wave for die in event.dice if die.value == 1)
            assert waves[0] == event.pool
            for wave in range(max(waves, default=0) + 1):
                assert waves[wave + 1] == ones[wave]
            assert event.successes == sum(die.value <= event.skill for die in event.dice)


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_counters_and_modes_follow_the_machine_for_any_order_of_damage(house_rules, chance):
    """OD-26: counters, failures and modes are what the damage and the dice say, in any order of play."""
    table = play(house_rules, chance)
    failures: Counter[str] = Counter()
    mode: dict[str, str] = {}
    for event in table.events:
        match event:
            case e.StabilisationRolled():
                tie = event.die == event.against and house_rules.stabilisation_tie == "holds"
                assert event.success == (event.die > event.against or tie)
                mech = event.mech
                normal = mech is not None and mode.get(mech, "normal") == "normal"
                assert event.counter == ("phase" if normal else "fatal")
                if mech is not None:
                    failures[mech] += int(normal and not event.success)
            case e.FatalModeEntered():
                assert failures[event.mech] > house_rules.phase_counters
                mode[event.mech] = "fatal"
            case e.StateRestored() if event.mech is not None:
                if event.mode is not None:
                    mode[event.mech] = event.mode
                if event.failures is not None:
                    failures[event.mech] = event.failures
    for key, machine in table.state.mechs.items():
        assert machine.mode == mode.get(key, "normal")
        assert machine.stabilisation_failures == failures[key]
        assert machine.mode == "fatal" or failures[key] <= house_rules.phase_counters


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_a_snapshot_is_the_states_json_and_stays_small(house_rules, chance):
    table = play(house_rules, chance, 400)
    stored = msgspec.json.encode(table.state, order="sorted")
    again = msgspec.json.decode(stored, type=OverdriveState)
    assert again == table.state
    assert len(stored) < 10_000
    assert OVERDRIVE.owed(again) == OVERDRIVE.owed(table.state)
    assert OVERDRIVE.pending(again) == OVERDRIVE.pending(table.state)
    for who in table.state.characters:
        assert msgspec.json.encode(sheet(again, who, Settings())) == msgspec.json.encode(
            sheet(table.state, who, Settings())
        )


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_facts_fold_in_any_order_and_with_gaps(house_rules, chance):
    events = play(house_rules, chance).events
    chance.shuffle(events)
    kept = events[: chance.randint(0, len(events))]
    state = fold(OVERDRIVE.evolve, OverdriveState(), [*kept, *kept])
    assert msgspec.json.decode(msgspec.json.encode(state), type=OverdriveState) == state
    for who in state.characters:
        sheet(state, who, Settings())
    OVERDRIVE.owed(state)
    OVERDRIVE.pending(state)


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_every_event_is_told_and_stored_as_it_is(house_rules, chance):
    table = play(house_rules, chance)
    decoder = msgspec.json.Decoder(OVERDRIVE.events)
    for event in table.events:
        assert decoder.decode(msgspec.json.encode(event)) == event
        said = tell(event, lambda thing: OVERDRIVE.name(table.state, str(thing)) or str(thing))
        assert unheard(said, IN_FRENCH) == set()
        told = str(said)
        assert told
        assert "None" not in told
        assert OVERDRIVE.redact(event) == event
        for rolled in OVERDRIVE.rolls(event):
            assert rolled.odds is None or abs(sum(rolled.odds.values()) - 1) < 1e-9


@EXAMPLES
@given(SETTINGS, PLAYS)
def test_deciding_again_names_everything_the_same(house_rules, chance):
    seed = chance.randint(0, 10**9)
    first, second = (play(house_rules, Random(seed)) for _ in range(2))  # noqa: S311 — play, not secrets
    assert first.events == second.events
