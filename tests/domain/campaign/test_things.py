"""Things of the group move by double entry with consent, and what is split leaves nothing over."""

import pytest

from domain.campaign.commands import EnterPlay, PostEntry, SetSetting
from domain.campaign.messages.character_retirement import RetireCharacter
from domain.campaign.messages.escrow import OfferTransfer, PostPending, VoidPending
from domain.campaign.messages.names import Rename
from domain.campaign.messages.things import CreateThing, MoveThing, Share, Split
from domain.campaign.money import mistyped_names
from domain.campaign.money.reconciliation import drift_from_sheets, trial_balance
from domain.campaign.money.splits import portions_of
from domain.campaign.money.things import THINGS_MAX
from domain.campaign.play.ledger_accounts import holders
from domain.campaign.secrecy.audience import TABLE
from domain.campaign.state import CampaignState, Thing
from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.systems.frame_state import commands as frame_state
from tests.services.calendar_played import CalendarPlayed, person


@pytest.fixture
def table() -> CalendarPlayed:
    """Ben plays Mara and Cleo plays Ines, with 100 credits each."""
    played = CalendarPlayed()
    played.do("ana", frame_state.DefineCatalogue(preset="playtest1.2"))
    played.do("ben", frame_state.CreatePilot(name="Mara"))
    played.do("cleo", frame_state.CreatePilot(name="Ines"))
    return played


def purse(table: CalendarPlayed, name: str) -> str:
    [system] = table.state.systems.values()
    return next(f"pilot:{pilot.pilot_id}" for pilot in system.pilots.values() if pilot.name == name)


def created(table: CalendarPlayed, name: str = "Bravo", account: str = "group", amount: int = 1) -> str:
    """The id of a new thing."""
    table.do("ana", CreateThing(name, account, amount))
    return [*table.state.things][-1]


def holds(table: CalendarPlayed, account: str, currency: str) -> int:
    return table.state.balances.get(account, {}).get(currency, 0)


def is_sound(table: CalendarPlayed) -> bool:
    zero = all(total == 0 for total in trial_balance(table.state.balances).values())
    return zero and drift_from_sheets(table.state) == []


def test_a_gm_brings_a_thing_in_from_the_world(table):
    bravo = created(table, account=purse(table, "Mara"), amount=3)
    assert table.state.things[bravo].name == "Bravo"
    assert holds(table, purse(table, "Mara"), bravo) == 3
    assert holds(table, "world:found", bravo) == -3
    assert is_sound(table)


def test_what_a_player_brings_in_waits_for_a_gm(table):
    table.do("ben", CreateThing("Rope", purse(table, "Mara"), 2, "gear", "Hemp, 20 m"))
    [(rope, thing)] = table.state.things.items()
    assert thing == Thing("Rope", "gear", "Hemp, 20 m")
    assert holders(table.state, rope) == {}
    [entry] = table.state.pending_entries
    assert table.refusal("ben", PostPending(entry)) == "not_yours_to_agree"
    table.do("ana", PostPending(entry))
    assert holders(table.state, rope) == {purse(table, "Mara"): 2}


def test_a_thing_goes_to_another_with_consent_and_to_oneself_without(table):
    mara, ines = purse(table, "Mara"), purse(table, "Ines")
    bravo = created(table, account=mara)
    assert table.refusal("cleo", MoveThing(bravo, mara, ines)) == "not_your_account"
    table.do("ben", MoveThing(bravo, mara, f"player:{person('ben')}"))
    assert holds(table, f"player:{person('ben')}", bravo) == 1
    table.do("ben", MoveThing(bravo, f"player:{person('ben')}", ines))
    [entry] = table.state.pending_entries
    assert holders(table.state, bravo) == {}
    table.do("cleo", PostPending(entry))
    assert holders(table.state, bravo) == {ines: 1}
    assert is_sound(table)


def test_what_nobody_takes_goes_back(table):
    mara = purse(table, "Mara")
    bravo = created(table, account=mara)
    table.do("ben", MoveThing(bravo, mara, purse(table, "Ines"), reason="Hold this"))
    table.do("cleo", VoidPending(*table.state.pending_entries))
    assert holders(table.state, bravo) == {mara: 1}


def test_a_player_uses_up_what_is_theirs_at_once(table):
    mara = purse(table, "Mara")
    rations = created(table, "Rations", mara, 5)
    table.do("ben", MoveThing(rations, mara, "world:used_up", 2))
    assert holders(table.state, rations) == {mara: 3}
    assert table.refusal("ben", MoveThing(rations, mara, "world:used_up", 4)) == "insufficient_balance"
    assert is_sound(table)


def test_more_of_a_thing_comes_from_the_world_by_a_gm_alone(table):
    rations = created(table, "Rations")
    more = MoveThing(rations, "world:found", "group", 4)
    assert table.refusal("ben", more) == "not_your_account"
    table.do("ana", more)
    assert holders(table.state, rations) == {"group": 5}


def test_nobody_owes_a_thing_whatever_the_group_says_of_money(table):
    table.do("ana", SetSetting("campaign.debt", "allowed"))
    bravo = created(table)
    assert table.refusal("ana", MoveThing(bravo, "group", "crew", 2)) == "insufficient_balance"
    assert table.refusal("ana", PostEntry(bravo, "crew", "group", 1, "lent")) == "insufficient_balance"
    table.do("ana", PostEntry("shells", "crew", "group", 1, "the control: money is owed"))


def test_a_thing_moves_by_the_commands_of_money_as_well(table):
    mara, ines = purse(table, "Mara"), purse(table, "Ines")
    bravo = created(table, account=mara)
    table.do("ben", OfferTransfer(bravo, mara, ines, 1, "for you"))
    table.do("cleo", PostPending(*table.state.pending_entries))
    assert holders(table.state, bravo) == {ines: 1}


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (MoveThing("thing-000000000000", "group", "crew"), "unknown_thing"),
        (MoveThing("Bravo", "group", "group"), "same_account"),
        (MoveThing("Bravo", "group", "frame:frame-000000000000", new=True), "account_of_the_rules"),
        (CreateThing("Rope", "world:found"), "same_account"),
        (Split("Bravo", "group", [Share("group")], 1), "same_account"),
        (Split("Bravo", "group", [Share("crew"), Share("crew")], 1), "same_account"),
        (Split("Bravo", "group", [Share("crew")], 2), "insufficient_balance"),
    ],
)
def test_what_cannot_be_is_refused(table, command, code):
    created(table)
    assert table.refusal("ana", command) == code


@pytest.mark.parametrize("name", ["credits", " Credits ", "shells"])
def test_no_thing_is_called_like_money(table, name):
    table.do("ana", PostEntry("shells", "group", "crew", 1, "found", new=True))
    bravo = created(table)
    for command in (CreateThing(name, "group"), Rename(name, bravo)):
        with pytest.raises(Rejection) as refused:
            mistyped_names.require_no_slip(table.state, command)
        assert refused.value.code == "name_of_a_currency"
    for command in (CreateThing("Bravo", "group"), Rename("Credit note", bravo), Rename(name)):
        mistyped_names.require_no_slip(table.state, command)


def test_a_campaign_names_so_many_things(table):
    table.state.things.update({f"thing-{nth:012x}": Thing("Rope") for nth in range(THINGS_MAX)})
    assert table.refusal("ana", CreateThing("Rope", "group")) == "too_many_things"
    table.state.things.popitem()
    table.do("ana", CreateThing("Rope", "group"))


def test_whoever_alone_holds_a_thing_renames_it(table):
    bravo = created(table, account=purse(table, "Mara"))
    assert table.refusal("cleo", Rename("Delta", bravo)) == "not_yours_to_name"
    table.do("ben", Rename("Delta", bravo))
    assert table.state.things[bravo].name == "Delta"
    table.do("ana", MoveThing(bravo, purse(table, "Mara"), "group"))
    assert table.refusal("ben", Rename("Echo", bravo)) == "not_yours_to_name"


def test_the_settled_purse_of_who_leaves_has_the_things(table):
    mara = purse(table, "Mara")
    bravo = created(table, account=mara, amount=2)
    table.do("ana", RetireCharacter(CharacterId(mara.partition(":")[2]), "dead", purse(table, "Ines")))
    assert holders(table.state, bravo) == {purse(table, "Ines"): 2}
    assert holds(table, purse(table, "Ines"), "credits") == 200
    assert is_sound(table)


@pytest.mark.parametrize(
    ("amount", "parts", "portions"),
    [
        (100, [1, 1, 1], [(34, 1), (33, 0), (33, 0)]),
        (101, [1, 1, 1], [(34, 1), (34, 1), (33, 0)]),
        (10, [2, 1, 1], [(5, 0), (3, 1), (2, 0)]),
        (7, [1, 3, 5], [(1, 1), (2, 0), (4, 1)]),
        (1, [1, 1], [(1, 1), (0, 0)]),
        (6, [1, 1, 1], [(2, 0), (2, 0), (2, 0)]),
    ],
)
def test_the_largest_remainders_get_what_is_left_over(amount, parts, portions):
    shares = [Share(f"a{nth}", each) for nth, each in enumerate(parts)]
    found = portions_of(amount, shares)
    assert [(portion.amount, portion.remainder) for portion in found] == portions
    assert sum(portion.amount for portion in found) == amount


def test_a_gm_splits_money_on_sheets_at_once(table):
    mara, ines = purse(table, "Mara"), purse(table, "Ines")
    table.do("ana", Split("credits", mara, [Share(ines), Share("group"), Share("crew")], 100))
    assert (holds(table, mara, "credits"), holds(table, ines, "credits")) == (0, 134)
    assert (holds(table, "group", "credits"), holds(table, "crew", "credits")) == (33, 33)
    assert is_sound(table)
    table.do("ana", Split("credits", "group", [Share(mara), Share(ines)], 33))
    assert (holds(table, mara, "credits"), holds(table, ines, "credits")) == (17, 150)
    assert is_sound(table)


def test_every_line_of_a_split_says_what_is_left_on_the_sheet(table):
    mara = purse(table, "Mara")
    events = table.do("ana", Split("credits", mara, [Share("group"), Share("crew")], 50))
    assert [event.balance_after for event in events if hasattr(event, "balance_after")] == [75, 50]


def test_a_player_splits_with_the_consent_of_each(table):
    mara, ines = purse(table, "Mara"), purse(table, "Ines")
    rations = created(table, "Rations", mara, 5)
    table.do("ben", Split(rations, mara, [Share(ines), Share("group")], 5, "for the road"))
    amounts = {entry.credit: entry.amount for entry in table.state.pending_entries.values()}
    assert amounts == {ines: 3, "group": 2}
    to_ines = next(entry.entry_id for entry in table.state.pending_entries.values() if entry.credit == ines)
    table.do("cleo", PostPending(to_ines))
    assert holders(table.state, rations) == {ines: 3}
    assert table.refusal("cleo", Split(rations, mara, [Share(ines)], 1)) == "not_your_account"
    assert is_sound(table)


def test_who_splits_what_they_have_may_keep_a_share(table):
    mara, ines = purse(table, "Mara"), purse(table, "Ines")
    rations = created(table, "Rations", mara, 5)
    table.do("ana", Split(rations, mara, [Share(mara), Share(ines)], 5))
    assert holders(table.state, rations) == {mara: 3, ines: 2}


def test_a_player_splits_from_the_sheet(table):
    mara, ines = purse(table, "Mara"), purse(table, "Ines")
    table.do("ben", Split("credits", mara, [Share(ines), Share("group")], 99))
    assert holds(table, mara, "credits") == 1
    for entry in [*table.state.pending_entries]:
        table.do("ana", PostPending(entry))
    assert (holds(table, ines, "credits"), holds(table, "group", "credits")) == (150, 49)
    assert is_sound(table)


def test_a_thing_that_everybody_knows_does_not_enter_play(table):
    bravo = created(table)
    assert table.refusal("ana", EnterPlay(bravo)) == "not_hidden"
    assert table.refusal("ben", EnterPlay(bravo)) == "not_yours_to_show"


def table_reads(table: CalendarPlayed) -> CampaignState:
    """The campaign as those who know least read it."""
    return table.hot.knowledge.of(TABLE, table.state)


def test_a_hidden_thing_that_is_moved_openly_enters_play_with_those_who_hold_it(table):
    mara = purse(table, "Mara")
    table.do("ana", CreateThing("Crown", "vault", 2), visibility="gm")
    [crown] = table.state.things
    assert table_reads(table).things == {}
    assert table_reads(table).balances.get("vault") is None
    assert table.refusal("ben", MoveThing(crown, "vault", mara)) == "unknown_thing"
    table.do("ana", MoveThing(crown, "vault", mara))
    assert table_reads(table).things[crown].name == "Crown"
    assert holders(table_reads(table), crown) == holders(table.state, crown) == {"vault": 1, mara: 1}
    assert is_sound(table)
    assert all(total == 0 for total in trial_balance(table_reads(table).balances).values())


def test_only_who_reads_of_it_knows_a_secret_thing(table):
    mara = purse(table, "Mara")
    table.do("ana", CreateThing("Crown", mara), visibility=f"account:{person('ben')}")
    [crown] = table.state.things
    assert table_reads(table).things == {}
    handed = MoveThing(crown, mara, purse(table, "Ines"))
    assert table.refusal("ben", handed, visibility="gm") == "hidden_from_who_agrees"
    assert table.refusal("ben", handed, visibility=f"account:{person('cleo')}") == "rests_on_hidden"
    table.do("ben", MoveThing(crown, mara, "world:used_up"), visibility="gm")
    assert holders(table.state, crown) == {}
    assert table_reads(table).things == {}
    assert table_reads(table).pending_entries == {}


def test_who_holds_a_secret_thing_shows_it(table):
    mara = purse(table, "Mara")
    table.do("ana", CreateThing("Crown", mara), visibility=f"account:{person('ben')}")
    [crown] = table.state.things
    table.do("ben", EnterPlay(crown))
    assert holders(table_reads(table), crown) == {mara: 1}
