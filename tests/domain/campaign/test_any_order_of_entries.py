"""In whatever order entries are made, posted and given back, the books come out the same (invariant 12)."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from domain.campaign.events import EntryPosted
from domain.campaign.evolve import evolve
from domain.campaign.messages.escrow import EntryPending, PendingPosted, PendingVoided
from domain.campaign.money import ledger
from domain.campaign.money.reconciliation import drift_from_log, trial_balance
from domain.campaign.state import CampaignState
from domain.systems.system import Posting

Balances = dict[str, dict[str, int]]

ACCOUNTS = ["crew", "world:patron", "world:dock", "player:ana"]

pairs = st.permutations(ACCOUNTS).map(lambda shuffled: (shuffled[0], shuffled[1]))


@st.composite
def entries(draw: st.DrawFn) -> list[list[Any]]:
    """Some entries, each as its events: posted at once, or set aside and then posted, voided or neither."""
    found: list[list[Any]] = []
    for number in range(draw(st.integers(1, 12))):
        debit, credit = draw(pairs)
        currency, change = draw(st.sampled_from(["credits", "fuel"])), draw(st.integers(0, 10**9))
        moved: dict[str, Any] = {"currency": currency, "debit": debit, "credit": credit, "change": change}
        moved["entry_id"] = f"entry-{number}"
        aside = EntryPending(**moved, reason="x", held_by=None)
        found.append(
            draw(
                st.sampled_from(
                    [
                        [EntryPosted(**moved, reason="x")],
                        [aside],
                        [aside, PendingPosted(**moved)],
                        [aside, PendingVoided(**moved)],
                    ]
                )
            )
        )
    return found


def folded(events: Sequence[Any]) -> CampaignState:
    state = CampaignState()
    for event in events:
        state = evolve(state, event)
    return state


def balances(state: CampaignState) -> Balances:
    """What accounts hold; an account that holds nothing is as good as none."""
    return {
        account: kept
        for account, held in state.balances.items()
        if (kept := {currency: amount for currency, amount in held.items() if amount})
    }


def expected(made: list[list[Any]]) -> Balances:
    """What accounts hold, worked out from how each entry ends and not by folding."""
    held: Balances = {}
    for *_, last in made:
        if isinstance(last, PendingVoided):
            continue
        goes_to = f"escrow:{last.entry_id}" if isinstance(last, EntryPending) else last.credit
        for account, change in ((last.debit, -last.change), (goes_to, last.change)):
            of = held.setdefault(account, {})
            of[last.currency] = of.get(last.currency, 0) + change
    state = CampaignState()
    state.balances = held
    return balances(state)


@given(data=st.data(), made=entries())
def test_any_order_of_entries_gives_the_same_books_which_add_up_to_zero(data, made):
    plain = [event for entry in made for event in entry]
    state = folded(data.draw(st.permutations(plain)))
    assert balances(state) == balances(folded(plain)) == expected(made)
    assert set(trial_balance(state.balances).values()) <= {0}
    assert drift_from_log(state, folded(plain).balances) == []


@given(data=st.data(), made=entries())
def test_what_is_set_aside_at_the_end_is_what_nobody_posted_or_voided(data, made):
    """However the entries interleave, each of them in its own order."""
    turns = data.draw(st.permutations([nth for nth, entry in enumerate(made) for _ in entry]))
    left = [iter(entry) for entry in made]
    state = folded([next(left[nth]) for nth in turns])
    waiting = {entry[-1].entry_id for entry in made if isinstance(entry[-1], EntryPending)}
    assert set(state.pending_entries) == waiting
    assert balances(state) == expected(made)


def test_a_ledger_that_gives_no_more_than_there_is_would_be_found_out(monkeypatch):
    """Negative control: what an entry moves must not depend on what came before it."""

    def clipped(held: Balances, posting: Posting) -> None:
        of = held.setdefault(posting.debit, {})
        moved = min(posting.amount, of.get(posting.currency, 0)) if posting.debit == "crew" else posting.amount
        of[posting.currency] = of.get(posting.currency, 0) - moved
        to = held.setdefault(posting.credit, {})
        to[posting.currency] = to.get(posting.currency, 0) + moved

    moves = [("world:patron", "crew"), ("crew", "world:dock"), ("crew", "player:ana")]
    made = [
        EntryPosted(entry_id=f"entry-{nth}", currency="credits", debit=debit, credit=credit, change=5, reason="x")
        for nth, (debit, credit) in enumerate(moves)
    ]
    monkeypatch.setattr(ledger, "add", clipped)
    assert len({str(sorted(balances(folded(order)).items())) for order in permutations(made)}) > 1


def test_a_ledger_that_forgets_one_side_would_be_found_out(monkeypatch):
    """Negative control: the trial balance sees an entry of one leg."""

    def halved(held: Balances, posting: Posting) -> None:
        of = held.setdefault(posting.credit, {})
        of[posting.currency] = of.get(posting.currency, 0) + posting.amount

    monkeypatch.setattr(ledger, "add", halved)
    made = EntryPosted(
        entry_id="entry-1", currency="fuel", debit="crew", credit="world:dock", change=5, reason="x"
    )
    assert trial_balance(folded([made]).balances) == {"fuel": 5}
