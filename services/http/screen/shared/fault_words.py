"""A form's words for an entry that does not fit its field, as a sentence for the person who entered it."""

from domain.sentences import Sentence, say
from domain.shape_faults import TOLD_CHARACTERS_MAX, Fault

NEEDED = say("This is needed.")
EMPTY = "null"
"""An entry that was left empty, as a fault repeats it."""
NONE = "[]"
"""A list to which nothing was added."""


def told_fault(fault: Fault) -> Sentence:
    """The fault in an entry. Programs are told the same in the words of the API."""
    if fault.code == "missing" or fault.sent_json == EMPTY:
        return NEEDED
    if fault.code == "wrong_length" and fault.sent_json == NONE:
        return say("Add at least one.")
    if fault.code == "unknown_field":
        return say("That cannot be taken.")
    if fault.sent_json is not None and len(fault.sent_json) <= TOLD_CHARACTERS_MAX:
        return say("Enter {allowed}, not {sent}.", allowed=fault.allowed, sent=fault.sent_json)
    return say("Enter {allowed}.", allowed=fault.allowed)
