"""The most that the numbers of a form may add up to, and how much of that is entered already."""

import re

from msgspec import Struct

from domain.sentences import Part, in_a_row, say
from projections.command_forms import FieldBudget
from services.http.screen.commands.form_entries import FormEntries

WHOLE = re.compile(r"[0-9]{1,6}")


class FormBudget(Struct, frozen=True):
    """A budget as a form shows it. The name of a counted entry is `path`, the number of its row, and `ends`."""

    path: str
    ends: str
    total: int
    least: int
    shares: list[int]
    counts: bool
    """Each row counts one."""
    used: int
    left: list[int]
    """Those of its shares that are not used."""

    @property
    def told(self) -> Part:
        """The sentence that says what there is to share out."""
        if self.shares:
            return say(
                "Share out {values}, each once.", values=in_a_row([str(share) for share in self.shares], ", ")
            )
        return say("Up to {total} in all.", total=self.total)

    @property
    def is_kept(self) -> bool:
        """Whether what is entered may stay so."""
        return self.used <= self.total


def form_budget(budget: FieldBudget, path: str, inputs: FormEntries) -> FormBudget:
    """The budget of the field at a path, with what is entered."""
    within = [step for step in budget.used_by if step != "item"] if _is_list(budget) else budget.used_by
    ends = "".join(f".{step}" for step in within)
    texts = [inputs.last(f"{path}.{row}{ends}").strip() for row in inputs.rows(path)]
    texts += inputs.every(path)  # boxes that are ticked
    if not budget.used_by:
        used = [1 for text in texts if text]
    else:
        used = [int(text) for text in texts if WHOLE.fullmatch(text)]
    rest = [*budget.shares]
    for amount in used:
        if amount in rest:
            rest.remove(amount)
    return FormBudget(path, ends, budget.total, budget.least, budget.shares, not budget.used_by, sum(used), rest)


def _is_list(budget: FieldBudget) -> bool:
    """Whether the field is a list, where a row is an item, and not a map, where it is a key and an item."""
    return len(budget.used_by) > 1
