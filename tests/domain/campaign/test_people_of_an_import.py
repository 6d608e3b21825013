"""A member takes the place of a person of an import in everything that is not over, whatever system it is in."""

from typing import Any
from uuid import UUID, uuid5

import msgspec
import pytest

from domain.campaign.evolve import evolve_all
from domain.campaign.lifecycle.imported_people import DECIDE, strangers
from domain.campaign.messages.imports import IdentifyPerson, PersonIdentified, PurseHandedOver
from domain.campaign.secrecy.audience import Audience, may_see, private_audiences, standing_for
from domain.campaign.state import Arrival, CampaignState, OpenSession
from domain.command_context import CommandContext
from domain.dice import TableDice
from domain.ids import AccountId, ActionId, SystemId
from domain.rejection import Rejection
from domain.systems.frame_state.state import FrameState
from domain.systems.mobile_frame.state import MobileFrameState

ANA, BEN, ZOE = (AccountId(UUID(int=each, version=4)) for each in range(1, 4))
MARA, OTTO = (AccountId(uuid5(ANA, name)) for name in ("mara", "otto"))


@pytest.fixture
def state() -> CampaignState:
    """Mara, who is not known yet, has a company, a seat, money, and a character that waits to come in."""
    return CampaignState(
        systems={
            SystemId("mobile_frame"): MobileFrameState(ppa={str(MARA): 3, str(ANA): 2}),
            SystemId("frame_state"): FrameState(pilot_seats=[MARA, BEN]),
        },
        members={ANA: "gm", BEN: "player", ZOE: "player"},
        session=OpenSession("session-1", 1, [ANA, MARA, BEN], None),
        balances={
            f"player:{MARA}": {"ducats": 40, "scrip": -2, "beans": 0},
            "world:bank": {"ducats": -40, "scrip": 2},
        },
        arrivals={"arrival-1": Arrival("arrival-1", SystemId("frame_state"), MARA, "Ines", {}, [])},
        imported_people={ANA: "Ana", MARA: "Mara", OTTO: "Otto"},
    )


def identified(state: CampaignState, person: AccountId, account: AccountId) -> list[Any]:
    command, action = IdentifyPerson(person, account), ActionId(UUID(int=9))
    context = CommandContext(command, ANA, "gm", action, 0, 0, None, members=state.members)
    return [*DECIDE[IdentifyPerson](state, context, command, TableDice([]))]


def refusal(state: CampaignState, person: AccountId, account: AccountId) -> str:
    with pytest.raises(Rejection) as found:
        identified(state, person, account)
    return found.value.code


def test_the_member_has_all_that_the_person_had(state):
    assert strangers(state) == {MARA: "Mara", OTTO: "Otto"}
    events = identified(state, MARA, BEN)
    assert events == [
        PersonIdentified(MARA, BEN),
        PurseHandedOver("ducats", f"player:{MARA}", f"player:{BEN}", 40),
        PurseHandedOver("scrip", f"player:{BEN}", f"player:{MARA}", 2),
    ]
    state = evolve_all(state, events)
    assert state.systems[SystemId("mobile_frame")].ppa == {str(BEN): 3, str(ANA): 2}
    assert state.systems[SystemId("frame_state")].pilot_seats == [BEN]
    assert state.session is not None
    assert state.session.present == [ANA, BEN]
    assert state.arrivals["arrival-1"].player == BEN
    assert state.balances[f"player:{BEN}"] == {"ducats": 40, "scrip": -2}
    assert {*state.balances[f"player:{MARA}"].values()} == {0}
    left = msgspec.json.encode((state.systems, state.session, state.arrivals)).decode()
    assert str(MARA) not in left
    assert strangers(state) == {OTTO: "Otto"}


def test_said_again_it_hands_over_what_came_since_and_else_brings_nothing(state):
    state = evolve_all(state, identified(state, MARA, BEN))
    assert identified(state, MARA, BEN) == []
    state.balances[f"player:{MARA}"]["ducats"] = 5
    assert identified(state, MARA, BEN) == [PurseHandedOver("ducats", f"player:{MARA}", f"player:{BEN}", 5)]


def test_nobody_becomes_two_of_a_kind_and_no_person_is_two_members(state):
    state.systems[SystemId("mobile_frame")].ppa[str(ZOE)] = 4
    assert refusal(state, MARA, ZOE) == "both_have_one"
    assert refusal(state, ANA, BEN) == "unknown_person"
    assert refusal(state, MARA, OTTO) == "unknown_member"
    state = evolve_all(state, identified(state, MARA, BEN))
    assert refusal(state, MARA, ZOE) == "already_identified"


def test_a_person_who_was_somebody_in_a_campaign_before_brings_them_along(state):
    state = evolve_all(state, [PersonIdentified(MARA, OTTO), PersonIdentified(OTTO, BEN)])
    assert state.stands_for == {MARA: BEN, OTTO: BEN}
    assert state.people_of(BEN) == {BEN, MARA, OTTO}


def test_only_the_member_reads_what_was_for_the_person():
    stands_for = {MARA: BEN}
    ben, zoe = (Audience(gm=False, account=each) for each in (BEN, ZOE))
    visibility = f"account:{MARA}"
    assert may_see(visibility, standing_for(ben, stands_for))
    assert not may_see(visibility, ben)
    assert standing_for(zoe, stands_for) is zoe
    assert standing_for(standing_for(ben, stands_for), {}) == ben
    assert private_audiences(visibility, stands_for=stands_for) == [ben]
    both = Audience.from_key(f"account:{BEN},{ZOE}")
    assert both in private_audiences(f"account:{MARA},{ZOE}", stands_for=stands_for)
    assert may_see(f"account:{MARA},{ZOE}", standing_for(both, stands_for))
    assert not may_see(visibility, standing_for(both, stands_for))
    assert standing_for(ben, stands_for).key == ben.key
