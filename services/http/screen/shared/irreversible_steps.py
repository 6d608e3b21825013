"""Steps that change the fate of a campaign or of a membership: the meaning of each, and how it is taken."""

from collections.abc import Awaitable, Callable
from typing import Literal, NamedTuple

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import DiceEpoch, EndDiceEpoch, HandOver, RevealHiddenDice
from domain.campaign.messages.archive import ArchiveCampaign, UnarchiveCampaign
from domain.campaign.messages.deletion_request import DELETION_WAITS_DAYS, AskDeletion
from domain.ids import AccountId
from domain.sentences import Part, number, say, say_many
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import submit_command
from services.http.screen.shared.campaign_page import campaign_path
from services.http.screen.shared.confirmation import Question, Step
from services.http.screen.shared.forms import Form, FormStruct
from services.http.screen.shared.systems import ROLES
from services.lifecycle.deletion import delete_campaign
from services.lifecycle.membership import hand_over, remove_member

ARCHIVE_IT, DELETE_IT, DOWNLOAD_IT = say("Archive it …"), say("Delete it …"), say("Download it as a file")
LEFT, DELETED = "/?done=left", "/?done=deleted"
GMS_ONLY = say("Only a game master can do that.")

StepCommand = ArchiveCampaign | UnarchiveCampaign | EndDiceEpoch | RevealHiddenDice


class StepSubject(NamedTuple):
    """Where a step is asked about or taken: in which campaign, and about which member."""

    application: Application
    campaign: VisibleCampaign
    member: AccountId

    @property
    def path(self) -> str:
        """The campaign's path."""
        return campaign_path(self.campaign)

    @property
    def name(self) -> str:
        """The member's name."""
        return self.campaign.name(self.member)

    async def act(self, command: StepCommand) -> None:
        """Give a command of the step."""
        campaign = self.campaign
        await self.application.rates.act(campaign.campaign_id, campaign.account)
        await submit_command(self.application, campaign.campaign_id, campaign.account, ActRequest(command=command))

    async def remove(self, member: AccountId) -> None:
        """Remove a member."""
        campaign = self.campaign
        await self.application.rates.act(campaign.campaign_id, campaign.account)
        await remove_member(self.application.for_campaigns, campaign.campaign_id, campaign.account, member)


class CampaignStep(NamedTuple):
    """A step: the functions that describe it and take it."""

    describe: Callable[[StepSubject], Step]
    take: Callable[[StepSubject, Form], Awaitable[str]]
    """Returns the path to go to."""
    is_for_gms: bool = True

    def shown_to(self, subject: StepSubject) -> Step:
        """The step as who asks may take it."""
        step = self.describe(subject)
        is_open = not self.is_for_gms or subject.campaign.role == "gm"
        return step if is_open else Step(step.heading, [GMS_ONLY], step.back)


class RevealForm(FormStruct, frozen=True):
    """The epoch whose hidden dice are revealed."""

    epoch: DiceEpoch


class SuccessionForm(FormStruct, frozen=True):
    """The role afterwards of a GM who hands over."""

    stay_as: Literal["player", "observer"] = "player"


def _archiving(subject: StepSubject) -> Step:
    return Step(
        heading=say("Archive “{campaign}”", campaign=subject.campaign.state.name),
        means=[
            say("Everyone can read it as before, and download it."),
            say("Nothing happens in it any more: no rolls, no notes, no changes. Its invites rest."),
            say("Timers rest, those in real time too, and wait on when it is taken up again."),
            say("A game master can take it up again at any time."),
        ],
        back=f"{subject.path}/settings",
        verb=say("Archive the campaign"),
    )


async def _archive(subject: StepSubject, _: Form) -> str:
    await subject.act(ArchiveCampaign())
    return subject.path


def _taking_up(subject: StepSubject) -> Step:
    return Step(
        heading=say("Take “{campaign}” up again", campaign=subject.campaign.state.name),
        means=[
            say("Everyone can act in it again, as their roles allow."),
            say("Timers in real time go on with the time that they had left."),
        ],
        back=subject.path,
        verb=say("Take it up again"),
    )


async def _take_up(subject: StepSubject, _: Form) -> str:
    await subject.act(UnarchiveCampaign())
    return subject.path


def _deleting(subject: StepSubject) -> Step:
    days, state = subject.application.grace_days, subject.campaign.state
    if state.founder not in (None, subject.campaign.account) and state.deletion is None:
        return Step(
            heading=say("Delete “{campaign}”", campaign=state.name),
            means=[
                say(
                    "{name} founded this campaign, and is asked for their word.",
                    name=subject.campaign.name(state.founder),
                ),
                say("If they say nothing for {n} days, you can delete it here.", n=DELETION_WAITS_DAYS),
            ],
            back=f"{subject.path}/settings",
            verb=say("Ask for the deletion"),
        )
    return Step(
        heading=say("Delete “{campaign}”", campaign=subject.campaign.state.name),
        means=[
            say("Nobody finds it any more, from now on: neither its sheets nor its chronicle."),
            say_many(
                "Its game masters see it in their list of campaigns, and can restore it for one day.",
                "Its game masters see it in their list of campaigns, and can restore it for {n} days.",
                days,
            ),
            say("After that it may be erased for ever."),
        ],
        back=f"{subject.path}/settings",
        verb=say("Delete the campaign"),
        asks=[
            Question(
                "name", say("Name of the campaign"), help=say("Write “{name}”.", name=subject.campaign.state.name)
            )
        ],
        links=[
            (f"/api/campaigns/{subject.campaign.campaign_id}/export", DOWNLOAD_IT),
            *([(f"{subject.path}/archive", ARCHIVE_IT)] if subject.campaign.state.archived_at is None else []),
        ],
        is_grave=True,
    )


async def _delete(subject: StepSubject, form: Form) -> str:
    campaign = subject.campaign
    await subject.application.rates.act(campaign.campaign_id, campaign.account)
    if campaign.state.founder not in (None, campaign.account) and campaign.state.deletion is None:
        await submit_command(
            subject.application, campaign.campaign_id, campaign.account, ActRequest(command=AskDeletion())
        )
        return subject.path
    await delete_campaign(
        subject.application.for_campaigns, campaign.campaign_id, campaign.account, form.value("name").strip()
    )
    return DELETED


def _leaving(subject: StepSubject) -> Step:
    campaign, path = subject.campaign, subject.path
    heading = say("Leave “{campaign}”", campaign=campaign.state.name)
    if [account for account, role in campaign.state.members.items() if role == "gm"] == [campaign.account]:
        is_alone = len(campaign.state.members) == 1
        links: list[tuple[str, Part]] = [] if is_alone else [(f"{path}/members", say("To the members"))]
        if campaign.state.archived_at is None:
            links.append((f"{path}/archive", ARCHIVE_IT))
        why = (
            say("You are the only member of this campaign: archive it or delete it instead.")
            if is_alone
            else say("A campaign needs a GM: make another member GM first, or hand it over.")
        )
        return Step(heading, [why], f"{path}/settings", links=[*links, (f"{path}/delete", DELETE_IT)])
    return Step(
        heading=heading,
        means=[
            say("You do not see the campaign any more, from now on."),
            say("What you did stays in the chronicle, under your name."),
            say("Your characters stay yours until a game master hands them to another player."),
            say("You come back by an invite."),
        ],
        back=f"{path}/settings",
        verb=say("Leave the campaign"),
        links=[(f"/api/campaigns/{campaign.campaign_id}/export", DOWNLOAD_IT)],
        is_grave=True,
    )


async def _leave(subject: StepSubject, _: Form) -> str:
    await subject.remove(subject.campaign.account)
    return LEFT


def _removing(subject: StepSubject) -> Step:
    name = subject.name
    return Step(
        heading=say("Remove {name}", name=name),
        means=[
            say("{name} does not see the campaign any more, from now on.", name=name),
            say("What {name} did stays in the chronicle, under their name.", name=name),
            say("Their characters stay theirs until a game master hands them to another player."),
            say("{name} comes back only by an invite that a game master makes for them.", name=name),
        ],
        back=f"{subject.path}/members",
        verb=say("Remove {name}", name=name),
        is_grave=True,
    )


async def _remove(subject: StepSubject, _: Form) -> str:
    await subject.remove(subject.member)
    return f"{subject.path}/members?changed=removed" if subject.member != subject.campaign.account else LEFT


def _handing_over(subject: StepSubject) -> Step:
    name = subject.name
    return Step(
        heading=say("Hand the campaign over to {name}", name=name),
        means=[
            say("{name} becomes a game master, and sees everything that is hidden.", name=name),
            say("You stop being one: you see only what is open, and cannot take this back yourself."),
        ],
        back=f"{subject.path}/members",
        verb=say("Hand it over"),
        asks=[
            Question(
                "stay_as",
                say("You stay as"),
                kind="choice",
                options=[(role, ROLES[role]) for role in ("player", "observer")],
            )
        ],
    )


async def _hand_over(subject: StepSubject, form: Form) -> str:
    fields = SuccessionForm.parse(form)
    campaign, path = subject.campaign, f"{subject.path}/members?changed=handover"
    if campaign.role == fields.stay_as and campaign.state.members[subject.member] == "gm":
        return path  # the form was sent twice
    await subject.application.rates.act(campaign.campaign_id, campaign.account)
    command = HandOver(subject.member, fields.stay_as)
    await hand_over(subject.application.for_campaigns, campaign.campaign_id, campaign.account, command, None)
    return path


def _ending_epoch(subject: StepSubject) -> Step:
    dice, path = subject.campaign.state.dice, f"{subject.path}/dice"
    heading = say("End the dice epoch")
    if not dice.epochs:
        return Step(heading, [say("The first epoch begins with whatever is done next.")], path)
    return Step(
        heading=heading,
        means=[
            say_many(
                "The seed of epoch {epoch} becomes public, and everyone can prove its {n} open die.",
                "The seed of epoch {epoch} becomes public, and everyone can prove its {n} open dice.",
                dice.nonce,
                epoch=number(dice.epoch),
            )
            if dice.nonce
            else say(
                "The seed of epoch {epoch} becomes public; no open die fell from it.", epoch=number(dice.epoch)
            ),
            say("Hidden rolls stay hidden: they have a seed of their own."),
            say("A new epoch begins at once, with new seeds and without the words of members."),
            say("There is no way back."),
        ],
        back=path,
        verb=say("Publish the seed"),
    )


async def _end_epoch(subject: StepSubject, _: Form) -> str:
    await subject.act(EndDiceEpoch())
    return f"{subject.path}/dice"


def _revealing_hidden(subject: StepSubject) -> Step:
    path, epochs = f"{subject.path}/dice", reversed(subject.campaign.state.dice.epochs)
    heading = say("Publish the seed of hidden dice")
    secret_epochs = [epoch for epoch in epochs if epoch.ended is not None and epoch.hidden_seed is None]
    if not secret_epochs:
        return Step(heading, [say("There is no ended epoch whose hidden dice are still secret.")], path)
    return Step(
        heading=heading,
        means=[
            say("Everyone can recompute every hidden die of that epoch that they know of."),
            say("What was hidden stays hidden: only the numbers of its dice can be proved."),
            say("There is no way back."),
        ],
        back=path,
        verb=say("Publish the seed"),
        asks=[
            Question(
                "epoch",
                say("Dice epoch"),
                kind="choice",
                options=[
                    (str(epoch.epoch), say("Epoch {epoch}", epoch=number(epoch.epoch))) for epoch in secret_epochs
                ],
            )
        ],
        is_grave=True,
    )


async def _reveal_hidden(subject: StepSubject, form: Form) -> str:
    await subject.act(RevealHiddenDice(epoch=RevealForm.parse(form).epoch))
    return f"{subject.path}/dice"


OF_THE_CAMPAIGN = {
    "archive": CampaignStep(_archiving, _archive),
    "unarchive": CampaignStep(_taking_up, _take_up),
    "delete": CampaignStep(_deleting, _delete),
    "end-dice-epoch": CampaignStep(_ending_epoch, _end_epoch),
    "reveal-hidden-dice": CampaignStep(_revealing_hidden, _reveal_hidden),
    "leave": CampaignStep(_leaving, _leave, is_for_gms=False),
}
"""Steps about a campaign, by the last part of their path."""

OF_A_MEMBER = {
    "remove": CampaignStep(_removing, _remove),
    "handover": CampaignStep(_handing_over, _hand_over),
}
"""Steps about one member, by the last part of their path."""
