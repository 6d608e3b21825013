"""A ledger as a journal of hledger, which Ledger reads, too."""

from collections.abc import Iterable

from projections.campaign.ledger_files.entry_date import EntryDate
from projections.campaign.ledger_files.entry_in_file import Balances, EntryInFile, NamedInFile, on_line

YEARS = range(1_000_000)
"""The years that hledger reads."""
LEDGER_YEARS = range(1400, 10_000)
"""The years that Ledger reads."""

_NO_SYNTAX = str.maketrans({";": ",", ":": ".", "[": "(", "]": ")"})
"""In comments, words with a colon and dates in brackets would be read as tags and as dates."""


class HledgerFile:
    """Writes the parts of a journal, in which every name is as it is in Fieldlog."""

    years = YEARS
    file_name = "ledger.journal"

    def head(self, sentences: Iterable[str]) -> str:
        """Sentences at the beginning."""
        return "".join(f"; {on_line(sentence)}\n" for sentence in sentences)

    def names(self, accounts: list[NamedInFile], currencies: list[NamedInFile], _: EntryDate) -> str:
        """The declarations of all accounts and currencies, each with its name for people in a line before it."""
        lines = [f"; {on_line(account.title)}\naccount {account.key}\n" for account in accounts]
        lines += [f"; {on_line(currency.title)}\ncommodity {_quoted(currency.key)}\n" for currency in currencies]
        return "\n" + "".join(lines)

    def entry(self, line: EntryInFile) -> str:
        """One transaction."""
        entry, currency = line.entry, _quoted(line.entry.currency)
        said = [text for text in (entry.actor_name, entry.note or entry.reason) if text]
        words = " | ".join(on_line(text).replace(";", ",") for text in said)
        comments = {
            "reason": entry.reason,
            "game-date": on_line(line.game_date).translate(_NO_SYNTAX),
            **line.references,
        }
        return "\n".join(
            [
                f"\n{line.date.text} * ({entry.seq}) {words}",
                *(f"    ; {mark}:" for mark in line.tags),
                *(f"    ; {key}: {value}" for key, value in comments.items()),
                f"    {entry.credit}  {line.change} {currency}",
                f"    {entry.debit}  {-line.change} {currency}\n",
            ]
        )

    def assertions(self, date: EntryDate, balances: Balances) -> str:
        """Balances that have to hold at the end of a day."""
        lines = [
            f"    {account}  0 {_quoted(currency)} = {balance} {_quoted(currency)}\n"
            for (account, currency), balance in sorted(balances.items())
        ]
        return "".join([f"\n{date.text} * balances\n", *lines]) if lines else ""


def _quoted(currency: str) -> str:
    return f'"{currency}"'
