"""A page's words when the service refuses: the sentence of the refusal, or a plainer one."""

from domain.dice import DiceMismatch
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, say
from services.accounts.authentication import WrongNameOrPassword
from services.errors import RateLimitExceeded

SAID_HERE: dict[str, Sentence] = {
    "name_taken": say("Another person goes by that name: please choose another one."),
    "name_looks_taken": say("That name looks the same as another person's: please choose another one."),
    "name_not_visible": say("That name cannot be seen: please choose another one."),
    "invite_not_found": say("This invite is not valid, or not any more. Ask for a new one."),
    "campaign_not_found": say("There is no such campaign among yours."),
    "token_not_found": say("That sign-in has ended already."),
    "foreign_origin": say("That came from another site, and nothing was done."),
    "idempotency_key_reused": say(
        "You sent this form before with something else in it, and that holds. Send it again to do this as well."
    ),
    "was_removed": say("You were removed from this campaign. A GM can invite you again, with an invite for you."),
}
"""By code, where the API's sentence is for programs or in English alone."""

REFUSALS = (Rejection, DiceMismatch, WrongNameOrPassword, RateLimitExceeded)
"""The exceptions by which a form is refused."""


def told_refusal(failure: Exception) -> Part:
    """The sentence that a reader is told of a refusal."""
    match failure:
        case WrongNameOrPassword():
            return say("That name and password do not go together.")
        case RateLimitExceeded(message=message):
            return told_text(message)
        case Rejection(code=code, message=message):
            return SAID_HERE.get(code) or told_text(message)
        case _:
            return say("That did not work")


def is_of_new_password(refusal: Exception) -> bool:
    """Whether it is the new password that cannot be taken."""
    return isinstance(refusal, Rejection) and refusal.code == "password_easily_guessed"


def told_of_password(refusal: Exception) -> Part:
    """The sentence that a reader is told of a refusal where they said their own password again."""
    if isinstance(refusal, WrongNameOrPassword):
        return say("That is not your password.")
    return told_refusal(refusal)


def told_text(message: str | Sentence) -> Sentence:
    """A refusal's text; one that stands in the code as it is has its translation, too."""
    return message if isinstance(message, Sentence) else Sentence(message)
