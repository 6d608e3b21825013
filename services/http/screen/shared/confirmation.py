"""A step that is not easily taken back: a page of its own says its meaning before it is done there."""

from typing import ClassVar

from msgspec import Struct

from domain.sentences import Part
from services.http.screen.shared.campaign_page import CampaignPage
from services.http.screen.shared.forms import Form
from services.http.screen.shared.page_responses import Page


class Question(Struct, frozen=True):
    """The entry before a step is taken: a text, a password, or one of a few `options`."""

    name: str
    label: Part
    kind: str = "text"
    help: Part = ""
    options: list[tuple[str, Part]] = []


class Step(Struct, frozen=True):
    """A step that is not easily taken back."""

    heading: Part
    means: list[Part]
    """Its meaning; without a verb, the reason why it cannot be taken."""
    back: str
    """The page to back out to."""
    verb: Part = ""
    """The label of its button; empty: it cannot be taken."""
    asks: list[Question] = []
    links: list[tuple[str, Part]] = []
    """Pages that one may want instead."""
    is_grave: bool = False
    """Whether nothing brings back what it ends."""


class ConfirmPage(Page, frozen=True):
    """A step, and the form that takes it: it is sent to the page's own path."""

    template: ClassVar[str] = "confirm.html"
    frame: ClassVar[str] = "base.html"
    section: ClassVar[str] = "account"
    step: Step
    form: Form

    @property
    def title(self) -> Part:
        """The page's title: the step."""
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
        """The page's title: the step."""
        return self.step.heading
