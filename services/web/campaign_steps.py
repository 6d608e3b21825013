"""Steps that change what becomes of a campaign or of a membership: what each means, and how it is taken."""

from collections.abc import Awaitable, Callable
from typing import Literal, NamedTuple

from domain.campaign.commands import (
    ArchiveCampaign,
    DiceEpoch,
    EndDiceEpoch,
    HandOver,
    RevealHiddenDice,
    UnarchiveCampaign,
)
from domain.campaign.request import ActRequest
from domain.ids import AccountId
from domain.sentences import Part, number, say, say_many
from services.application import Application
from services.campaigns.deletion import delete_campaign
from services.campaigns.lifecycle import hand_over, remove_member
from services.commands.submit import submit_command
from services.queries.campaign_reader import VisibleCampaign
from services.web.campaign_page import campaign_path
from services.web.confirmation import Question, Step
from services.web.forms import Checked, Form
from services.web.systems import ROLES

ARCHIVE_IT, DELETE_IT, DOWNLOAD_IT = say("Archive it …"), say("Delete it …"), say("Download it as a file")
LEFT, DELETED = "/?done=left", "/?done=deleted"
GMS_ONLY = say("Only a game master can do that.")

StepCommand = ArchiveCampaign | UnarchiveCampaign | EndDiceEpoch | RevealHiddenDice


class Asked(NamedTuple):
    """Where a step is asked about or taken: in which campaign, and about which member."""

    application: Application
    seen: VisibleCampaign
    member: AccountId

    @property
    def path(self) -> str:
        """The campaign's path."""
        return campaign_path(self.seen)

    @property
    def name(self) -> str:
        """What the member is called."""
        return self.seen.name(self.member)

    async def act(self, command: StepCommand) -> None:
        """Give a command of the step."""
        seen = self.seen
        await self.application.rates.act(seen.campaign_id, seen.account)
        await submit_command(self.application, seen.campaign_id, seen.account, ActRequest(command=command))

    async def remove(self, member: AccountId) -> None:
        """Remove a member."""
        seen = self.seen
        await self.application.rates.act(seen.campaign_id, seen.account)
        await remove_member(self.application.for_campaigns, seen.campaign_id, seen.account, member)


class CampaignStep(NamedTuple):
    """A step: what it is told to mean, what takes it and returns the path to go to, and whether it is for GMs."""

    told: Callable[[Asked], Step]
    taken: Callable[[Asked, Form], Awaitable[str]]
    is_for_gms: bool = True

    def shown_to(self, asked: Asked) -> Step:
        """The step as who asks may take it."""
        told = self.told(asked)
        is_open = not self.is_for_gms or asked.seen.role == "gm"
        return told if is_open else Step(told.heading, [GMS_ONLY], told.back)


class RevealForm(Checked, frozen=True):
    """The epoch whose hidden dice are revealed."""

    epoch: DiceEpoch


class SuccessionForm(Checked, frozen=True):
    """What the GM who hands over is afterwards."""

    stay_as: Literal["player", "observer"] = "player"


def _archiving(asked: Asked) -> Step:
    return Step(
        heading=say("Archive “{campaign}”", campaign=asked.seen.state.name),
        means=[
            say("Everyone can read it as before, and download it."),
            say("Nothing happens in it any more: no rolls, no notes, no changes. Its invites rest."),
            say("Timers rest, those in real time too, and wait on when it is taken up again."),
            say("A game master can take it up again at any time."),
        ],
        back=f"{asked.path}/settings",
        verb=say("Archive the campaign"),
    )


async def _archive(asked: Asked, _: Form) -> str:
    await asked.act(ArchiveCampaign())
    return asked.path


def _taking_up(asked: Asked) -> Step:
    return Step(
        heading=say("Take “{campaign}” up again", campaign=asked.seen.state.name),
        means=[
            say("Everyone can act in it again, as their roles allow."),
            say("Timers in real time go on with the time that they had left."),
        ],
        back=asked.path,
        verb=say("Take it up again"),
    )


async def _take_up(asked: Asked, _: Form) -> str:
    await asked.act(UnarchiveCampaign())
    return asked.path


def _deleting(asked: Asked) -> Step:
    days = asked.application.grace_days
    return Step(
        heading=say("Delete “{campaign}”", campaign=asked.seen.state.name),
        means=[
            say("Nobody finds it any more, from now on: neither its sheets nor its chronicle."),
            say_many(
                "Its game masters see it in their list of campaigns, and can restore it for one day.",
                "Its game masters see it in their list of campaigns, and can restore it for {n} days.",
                days,
            ),
            say("After that it may be erased for ever."),
        ],
        back=f"{asked.path}/settings",
        verb=say("Delete the campaign"),
        asks=[
            Question("name", say("Name of the campaign"), help=say("Write “{name}”.", name=asked.seen.state.name))
        ],
        links=[
            (f"/api/campaigns/{asked.seen.campaign_id}/export", DOWNLOAD_IT),
            *([(f"{asked.path}/archive", ARCHIVE_IT)] if asked.seen.state.archived_at is None else []),
        ],
        is_grave=True,
    )


async def _delete(asked: Asked, form: Form) -> str:
    seen = asked.seen
    await asked.application.rates.act(seen.campaign_id, seen.account)
    await delete_campaign(
        asked.application.for_campaigns, seen.campaign_id, seen.account, form.value("name").strip()
    )
    return DELETED


def _leaving(asked: Asked) -> Step:
    seen, path = asked.seen, asked.path
    heading = say("Leave “{campaign}”", campaign=seen.state.name)
    if [each for each, role in seen.state.members.items() if role == "gm"] == [seen.account]:
        is_alone = len(seen.state.members) == 1
        links: list[tuple[str, Part]] = [] if is_alone else [(f"{path}/members", say("To the members"))]
        if seen.state.archived_at is None:
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
        links=[(f"/api/campaigns/{seen.campaign_id}/export", DOWNLOAD_IT)],
        is_grave=True,
    )


async def _leave(asked: Asked, _: Form) -> str:
    await asked.remove(asked.seen.account)
    return LEFT


def _removing(asked: Asked) -> Step:
    name = asked.name
    return Step(
        heading=say("Remove {name}", name=name),
        means=[
            say("{name} does not see the campaign any more, from now on.", name=name),
            say("What {name} did stays in the chronicle, under their name.", name=name),
            say("Their characters stay theirs until a game master hands them to another player."),
            say("{name} comes back only by an invite that a game master makes for them.", name=name),
        ],
        back=f"{asked.path}/members",
        verb=say("Remove {name}", name=name),
        is_grave=True,
    )


async def _remove(asked: Asked, _: Form) -> str:
    await asked.remove(asked.member)
    return f"{asked.path}/members?changed=removed" if asked.member != asked.seen.account else LEFT


def _handing_over(asked: Asked) -> Step:
    name = asked.name
    return Step(
        heading=say("Hand the campaign over to {name}", name=name),
        means=[
            say("{name} becomes a game master, and sees everything that is hidden.", name=name),
            say("You stop being one: you see only what is open, and cannot take this back yourself."),
        ],
        back=f"{asked.path}/members",
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


async def _hand_over(asked: Asked, form: Form) -> str:
    wanted = SuccessionForm.read(form)
    seen, done = asked.seen, f"{asked.path}/members?changed=handover"
    if seen.role == wanted.stay_as and seen.state.members[asked.member] == "gm":
        return done  # the form was sent twice
    await asked.application.rates.act(seen.campaign_id, seen.account)
    command = HandOver(asked.member, wanted.stay_as)
    await hand_over(asked.application.for_campaigns, seen.campaign_id, seen.account, command, None)
    return done


def _ending_epoch(asked: Asked) -> Step:
    dice, path = asked.seen.state.dice, f"{asked.path}/dice"
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


async def _end_epoch(asked: Asked, _: Form) -> str:
    await asked.act(EndDiceEpoch())
    return f"{asked.path}/dice"


def _revealing_hidden(asked: Asked) -> Step:
    path, epochs = f"{asked.path}/dice", reversed(asked.seen.state.dice.epochs)
    heading = say("Publish the seed of hidden dice")
    kept = [each for each in epochs if each.ended is not None and each.hidden_seed is None]
    if not kept:
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
                options=[(str(each.epoch), say("Epoch {epoch}", epoch=number(each.epoch))) for each in kept],
            )
        ],
        is_grave=True,
    )


async def _reveal_hidden(asked: Asked, form: Form) -> str:
    await asked.act(RevealHiddenDice(epoch=RevealForm.read(form).epoch))
    return f"{asked.path}/dice"


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
