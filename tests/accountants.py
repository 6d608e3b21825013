"""Accountants' tools as they are: Beancount comes with the tests, hledger and Ledger where they are installed."""

import csv
import io
import re
import shutil
import subprocess
from collections import Counter
from typing import Any, NamedTuple

from beancount import loader
from beancount.core.data import Commodity, Open, Transaction

from projections.campaign.ledger_files.beancount_names import LONG_PREFIX, PREFIX, SUFFIX
from projections.campaign.ledger_files.hledger_file import LEDGER_YEARS

Balances = dict[tuple[str, str], int]
_WRITTEN = re.compile(r"Z([0-9a-f]*)Z|([A-Y])")
_NUMBERED = re.compile(r"'([0-9A-F]+)'")
DATED_LINE = re.compile(r"^(\d+)-\d+-\d+", re.MULTILINE)


class Program(NamedTuple):
    """A program, and the format of an export that it reads."""

    name: str
    format: str

    def reads(self, text: str) -> bool:
        """Whether every year of an export is one that this program reads."""
        return self.name != "ledger" or all(int(year) in LEDGER_YEARS for year in DATED_LINE.findall(text))


BEANCOUNT = Program("beancount", "beancount")
OTHERS = (Program("hledger", "hledger"), Program("ledger", "hledger"))


def programs() -> list[Program]:
    """Those that are here."""
    return [BEANCOUNT, *(program for program in OTHERS if shutil.which(program.name))]


def absent() -> list[str]:
    """Those that are not here."""
    return [program.name for program in OTHERS if not shutil.which(program.name)]


def balances_of(program: Program, text: str) -> Balances:
    """The balances that a program finds, without those of nothing, once it has found no fault."""
    if program == BEANCOUNT:
        return _in_beancount(text)
    if program.name == "hledger":
        _run(["hledger", "-f-", "check", "--strict"], text)
        rows = csv.reader(
            io.StringIO(_run(["hledger", "-f-", "bal", "-N", "--flat", "--layout=bare", "-Ocsv"], text))
        )
        next(rows)
        return {(account, currency): int(balance) for account, currency, balance in rows if int(balance)}
    form = "%(account)|%(commodity(amount))|%(quantity(amount))\n"
    found: Counter[tuple[str, str]] = Counter()
    for line in _run(["ledger", "-f", "-", "reg", f"--format={form}"], text).splitlines():
        account, currency, amount = line.split("|")
        found[account, currency.strip('"')] += int(amount)
    return {purse: balance for purse, balance in found.items() if balance}


def _in_beancount(text: str) -> Balances:
    entries, errors, _ = loader.load_string(text)
    assert errors == [], [f"{error.source}: {error.message}" for error in errors[:3]]
    currencies = {entry.currency: entry.meta["fieldlog"] for entry in entries if isinstance(entry, Commodity)}
    accounts = {entry.account: entry.meta["fieldlog"] for entry in entries if isinstance(entry, Open)}
    assert accounts == {account: account_of_beancount(account) for account in accounts}
    found: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        if isinstance(entry, Transaction):
            for posting in entry.postings:
                assert posting.units is not None
                assert posting.units.number is not None
                found[accounts[posting.account], currencies[posting.units.currency]] += int(posting.units.number)
    return {purse: balance for purse, balance in found.items() if balance}


def _run(command: list[str], text: str) -> str:
    done = subprocess.run(  # noqa: S603
        command, input=text, capture_output=True, text=True, check=False, env={"LANG": "C.UTF-8"}
    )
    assert done.returncode == 0, (done.stderr[-2000:], text[:2000])
    return done.stdout


def balances_in(who: Any, path: str, **query: Any) -> Balances:
    """The balances that somebody reads in Fieldlog, without those of nothing."""
    found = who.get(f"{path}/ledger/accounts", params=query).json()["accounts"]
    return {(line["account"], line["currency"]): line["balance"] for line in found if line["balance"]}


def account_of_beancount(written: str) -> str:
    """The account that Beancount names so."""
    return ":".join(_part(component) for component in written.split(":")[1:])


def currency_of_beancount(written: str) -> str | None:
    """The currency that Beancount names so; None: its name was too long, and only the file says it."""
    if written.startswith(LONG_PREFIX):
        return None
    pieces = _NUMBERED.split(written.removeprefix(PREFIX).removesuffix(SUFFIX))
    return "".join(chr(int(piece, 16)) if nth % 2 else piece.lower() for nth, piece in enumerate(pieces))


def _part(component: str) -> str:
    return _WRITTEN.sub(_original, component)


def _original(written: re.Match[str]) -> str:
    number, capital = written.groups()
    if capital is not None:
        return f"_{capital.lower()}" if written.start() else str(capital.lower())
    return chr(int(number, 16)) if number else ""
