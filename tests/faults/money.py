"""Money after a fault campaign: payouts by the log, and ledgers and sheets against each other and the log."""

from collections import Counter
from typing import Any

from tests.faults.log import Log

CONCLUDED = "frame_state.mission_concluded"
AWARDED = "frame_state.currency_awarded"
CHARGED = "frame_state.currency_charged"
STARTING_CREDITS = 100


def payouts(logs: dict[str, Log]) -> list[str]:
    """What was promised when missions concluded, against what was posted."""
    wrong = []
    for campaign, log in logs.items():
        owed = {
            (row.body["mission_id"], pilot): amount
            for row in log.rows
            if row.kind == CONCLUDED
            for pilot, amount in row.body["payouts"].items()
            if amount > 0
        }
        posted = [
            ((row.body["mission_id"], row.body["pilot"]), row.body["amount"])
            for row in log.rows
            if row.kind == AWARDED and row.body.get("mission_id") is not None
        ]
        times = Counter(payout for payout, _ in posted)
        wrong += [
            f"{campaign}: {payout} was posted {times[payout]} times" for payout in owed if times[payout] != 1
        ]
        wrong += [f"{campaign}: {payout} was never owed" for payout in times if payout not in owed]
        wrong += [
            f"{campaign}: {payout} came to {amount}"
            for payout, amount in posted
            if owed.get(payout, amount) != amount
        ]
    return wrong


def ledgers(log: Log, shown: dict[str, Any]) -> list[str]:
    """Entries that are not balanced, balances that are not their sum, sheets and logs that say otherwise."""
    [accounts] = shown["/ledger/accounts"]
    wrong = [f"alarm: {alarm}" for alarm in shown[""][0]["alarms"]]
    wrong += [f"drift: {drift}" for drift in accounts["drift"]]
    wrong += [f"{currency} adds up to {left}" for currency, left in accounts["trial_balance"].items() if left != 0]
    moved: Counter[tuple[str, str]] = Counter()
    for page in shown["/ledger/entries"]:
        for entry in page["entries"]:
            if entry["amount"] < 0 or not entry["debit"] or not entry["credit"]:
                wrong.append(f"the entry at {entry['seq']} moves {entry['amount']} from nowhere or to nowhere")
            moved[entry["debit"], entry["currency"]] -= entry["amount"]
            moved[entry["credit"], entry["currency"]] += entry["amount"]
    balances = {(each["account"], each["currency"]): each["balance"] for each in accounts["accounts"]}
    for account in {*moved, *balances}:
        if moved[account] != balances.get(account, 0):
            wrong.append(
                f"{account[0]} holds {balances.get(account, 0)}, and its entries add up to {moved[account]}"
            )
    for pilot in (view.removeprefix("/sheets/") for view in shown if view.startswith("/sheets/")):
        on_sheet = shown[f"/sheets/{pilot}"][0]["sheet"]["currency"]
        in_log = STARTING_CREDITS + _earned(log, pilot)
        if not on_sheet == moved[f"pilot:{pilot}", "credits"] == in_log:
            wrong.append(
                f"{pilot} has {on_sheet} on the sheet, {moved[f'pilot:{pilot}', 'credits']} in the ledger and "
                f"{in_log} by the log"
            )
    return wrong


def _earned(log: Log, pilot: str) -> int:
    total = 0
    for row in log.standing:
        if row.kind in (AWARDED, CHARGED) and row.body["pilot"] == pilot:
            total += row.body["amount"] if row.kind == AWARDED else -row.body["amount"]
    return total
