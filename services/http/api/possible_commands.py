"""`…/commands`: a member's possible commands, and the possible values of each field."""

from typing import Annotated, Any, get_type_hints

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter
from msgspec import UNSET, Struct, UnsetType, ValidationError, convert, defstruct, structs, to_builtins

from domain.names.members_by_name import with_accounts
from domain.names.name_resolution import character_called, resolve_names
from domain.offers.possible_commands import commands_of
from domain.type_cache import once_per_kind
from projections.choice_words import titles_in, with_values
from projections.command_forms import CommandOffer, CommandsView
from services.campaign.visible_campaign import VisibleCampaign
from services.http import request_faults
from services.http.api.caller import CampaignCaller
from services.http.api.openapi_roles import MEMBERS
from services.http.route_parameters import AsQuery
from services.reading.parameters import context_of
from services.reading.ready_characters import ReadyCharacter, ready_characters

CharacterQuery = Annotated[
    str | None,
    QueryParameter(max_length=80, description="Only what can be done for this character, by id or name."),
]
AllQuery = Annotated[bool, QueryParameter(name="all", description="Also what is refused now, and why.")]


class PartialCommand(Struct, frozen=True, forbid_unknown_fields=True):
    """A command as far as it is said: its `type`, and some of its fields."""

    command: dict[str, Any]


class CommandFieldsView(Struct, frozen=True):
    """A command as far as it is said, with what may stand in the fields that are left."""

    as_of: int
    command: CommandOffer


class PresetsView(Struct, frozen=True):
    """The characters to start with."""

    as_of: int
    presets: list[ReadyCharacter]


class CommandsController(Controller):
    """The possible commands."""

    path = "/api/campaigns/{campaign_id:str}/commands"
    tags = ("commands",)

    @get("", summary="What may I do now?", operation_class=MEMBERS)
    async def all(
        self,
        asker: NamedDependency[CampaignCaller],
        character: CharacterQuery = None,
        with_refusals: AllQuery = False,
        as_member: AsQuery = None,
    ) -> CommandsView:
        """The commands that you are asked for, then every one that you may give now, with its fields and choices.

        It is worked out on the campaign as you know it: nothing here depends on what is hidden from you. A
        command that rests on hidden things in truth may still be refused, with `not_possible_now`. Refuses
        `ambiguous_name`, and `unknown_character` with those that there are.
        """
        campaign = await asker.application.campaigns.see(asker.campaign_id, asker.account, as_member=as_member)
        with campaign.refusing():
            acting = (
                None if character is None else character_called(character, campaign.state, context_of(campaign))
            )
        view = await asker.application.possible.all(campaign, acting)
        if with_refusals:
            return view
        return structs.replace(view, commands=[command for command in view.commands if command.possible != "no"])

    @get("/presets", summary="Characters to start with", operation_class=MEMBERS)
    async def presets(self, asker: NamedDependency[CampaignCaller]) -> PresetsView:
        """Ready-made characters of the campaign's games, each as `commands` to send as one action.

        They keep to the campaign's settings and catalogues, and have names that are free as far as you know.
        """
        campaign = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        return PresetsView(campaign.seq, ready_characters(campaign))

    @post("", summary="What may stand in the other fields?", operation_class=MEMBERS, status_code=200)
    async def one(
        self, asker: NamedDependency[CampaignCaller], data: JSONBody[PartialCommand]
    ) -> CommandFieldsView:
        """The fields of a command that are left when some are filled in, with their choices. It only reads.

        Every choice without `refused` can be completed to a command that is accepted, unless it is `uncertain`.
        Names may stand for ids and words for choices, as in a whole command. Refuses `unknown_command`,
        `only_a_worker`, `ambiguous_word`, `ambiguous_name` and `unknown_member`; 400 for a field that the command
        does not have, or a value that is not of its field's kind.
        """
        campaign = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        await asker.application.rates.act(campaign.campaign_id, asker.account)
        with campaign.refusing():
            command = _with_ids(campaign, data.command)
            return CommandFieldsView(campaign.seq, await asker.application.possible.one(campaign, command))


@once_per_kind
def partial_of(kind: type[Struct]) -> type[Struct]:
    """The type of a command of which nothing has to be said."""
    hints = get_type_hints(kind, include_extras=True)
    names = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    fields = [(wire, hints[field] | UnsetType, UNSET) for field, wire in names]
    tag = str(kind.__struct_config__.tag)
    module = kind.__module__  # which says to which rule system it belongs
    return defstruct(f"Partial{kind.__name__}", fields, tag=tag, forbid_unknown_fields=True, module=module)


def _with_ids(campaign: VisibleCampaign, command: dict[str, Any]) -> dict[str, Any]:
    """The entered part of a command, with ids for names as its asker knows the campaign.

    Raises `Malformed` unless it can stand in the command's fields, `ambiguous_word`, `ambiguous_name` and
    `unknown_member`.
    """
    kinds = {kind.__struct_config__.tag: kind for kind in commands_of(campaign.state)}
    kind = kinds.get(str(command.get("type")))
    if kind is None:
        return command  # there is no such command, which is told in the campaign's language
    members = {account: campaign.name(account) for account in campaign.state.members}
    body = with_accounts(with_values({"command": command}), campaign.state, members)["command"]
    try:
        partial = convert(body, partial_of(kind))
    except ValidationError:
        raise request_faults.of_value(body, partial_of(kind), "/command") from None
    state = campaign.state
    with_ids = resolve_names(partial, state, context_of(campaign), titles_in(state))
    before, after = to_builtins(partial), to_builtins(with_ids)
    return {name: part if after[name] == before[name] else after[name] for name, part in body.items()}
