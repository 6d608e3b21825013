"""A ledger as a file of Beancount."""

from collections.abc import Iterable

from projections.campaign.ledger_files.beancount_names import beancount_account, beancount_currency
from projections.campaign.ledger_files.entry_date import EntryDate
from projections.campaign.ledger_files.entry_in_file import Balances, EntryInFile, NamedInFile, on_line

YEARS = range(1, 10_000)
"""The years that Beancount reads."""


class BeancountFile:
    """Writes the parts of a file of Beancount."""

    years = YEARS
    file_name = "ledger.beancount"

    def head(self, sentences: Iterable[str]) -> str:
        """Sentences at the beginning; the first is the title of the file."""
        texts = [on_line(sentence) for sentence in sentences]
        return "".join([*(f"; {text}\n" for text in texts), f'option "title" {_string(texts[0])}\n'])

    def names(self, accounts: list[NamedInFile], currencies: list[NamedInFile], first: EntryDate) -> str:
        """The declarations of all accounts and currencies, with their keys in Fieldlog and names for people."""
        lines = [
            f"{first.text} open {beancount_account(account.key)}\n{_of_fieldlog(account)}" for account in accounts
        ]
        lines += [
            f"{first.text} commodity {beancount_currency(currency.key)}\n{_of_fieldlog(currency)}"
            for currency in currencies
        ]
        return "\n" + "".join(lines)

    def entry(self, line: EntryInFile) -> str:
        """One transaction, linked to the others of its action."""
        entry, currency = line.entry, beancount_currency(line.entry.currency)
        words = " ".join(_string(text) for text in (entry.actor_name, entry.note or entry.reason) if text)
        marks = "".join(f" #{mark}" for mark in line.tags)
        metadata = {"reason": entry.reason, "game-date": line.game_date, **line.references}
        return "\n".join(
            [
                f"\n{line.date.text} * {words}{marks} ^{entry.action_id}",
                f"  seq: {entry.seq}",
                *(f"  {key}: {_string(value)}" for key, value in metadata.items()),
                f"  {beancount_account(entry.credit)}  {line.change} {currency}",
                f"  {beancount_account(entry.debit)}  {-line.change} {currency}\n",
            ]
        )

    def assertions(self, date: EntryDate, balances: Balances) -> str:
        """Balances that have to hold at the end of a day: at the beginning of the next, where it has a name."""
        if date.following.year not in YEARS:
            return ""
        day = date.following.text
        lines = [
            f"{day} balance {beancount_account(account)} {balance} {beancount_currency(currency)}\n"
            for (account, currency), balance in sorted(balances.items())
        ]
        return "".join(["\n", *lines]) if lines else ""


def _of_fieldlog(named: NamedInFile) -> str:
    return f"  fieldlog: {_string(named.key)}\n  title: {_string(named.title)}\n"


def _string(text: str) -> str:
    escaped = on_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
