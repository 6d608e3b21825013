"""A step that is not easily taken back: what it means is said on a page of its own, before it is done there."""

from typing import ClassVar

from msgspec import Struct

from domain.sentences import Part
from services.http.screen.shared.answers import Page
from services.http.screen.shared.campaign_page import CampaignPage
from services.http.screen.shared.forms import Form


class Question(Struct, frozen=True):
    """What is entered before a step is taken: a text, a password, or one of a few `options`."""

    name: str
    label: Part
    kind: str = "text"
    help: Part = ""
    options: list[tuple[str, Part]] = []


class Step(Struct, frozen=True):
    """A step: what it is called, what it `means`, the `verb` of its button, and the page to `back` out to.

    Without a verb it cannot be taken, and `means` says why. `links` lead to what one may want instead.
    `is_grave` if nothing brings back what it ends.
    """

    heading: Part
    means: list[Part]
    back: str
    verb: Part = ""
    asks: list[Question] = []
    links: list[tuple[str, Part]] = []
    is_grave: bool = False


class ConfirmPage(Page, frozen=True):
    """A step, and the form that takes it: it is sent to the page's own path."""

    template: ClassVar[str] = "confirm.html"
    frame: ClassVar[str] = "base.html"
    section: ClassVar[str] = "account"
    step: Step
    form: Form

    @property
    def title(self) -> Part:
        """What the step is called."""
        return self.step.heading


class CampaignConfirmPage(CampaignPage, frozen=True):
    """The same about a campaign."""

    template: ClassVar[str] = "confirm.html"
    frame: ClassVar[str] = "campaign_frame.html"
    section: ClassVar[str] = "home"
    step: Step
    form: Form

    @property
    def title(self) -> Part:
        """What the step is called."""
        return self.step.heading
