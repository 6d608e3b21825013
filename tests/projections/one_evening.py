"""A short campaign with everything that records and recaps tell of."""

from domain.campaign import commands as campaign
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.state import TestDie
from tests.campaign_played import CampaignPlayed
from tests.domain.frame_state.table import CATALOGUE


class OneEvening(CampaignPlayed):
    """Ben's Mara flies a mission in session 1, loses her frame, gets another; session 2 is quiet."""

    def __init__(self) -> None:
        super().__init__()
        self.do("ana", CATALOGUE)
        self.mara: str = self.do("ben", c.CreatePilot(name="Mara"))[0].pilot_id
        self.first: str = self.do("ben", c.CreateUnit(kind="frame", name="Heron"))[0].frame_id
        self.jun: str = self.do("cleo", c.CreatePilot(name="Jun"))[0].pilot_id
        self.do("ana", campaign.StartSession(title="The dam"))
        self.do("ana", c.AwardCurrency(amount=2000, reason="advance", pilot=self.mara))
        self.do("ben", c.AllocatePoint(category="skills", attribute="sharpness"))
        self.do("ana", campaign.StartScene(name="The crane"))
        self.do("ana", c.StartMission(name="Ebb", pilots=[self.mara]))
        self.test("ben", self.mara, mark=3, face=6)
        self.test("ben", self.mara, mark=9, face=1, reactive=True)
        self.do("ana", campaign.AddNote(text="The crane remembers."), visibility="gm")
        self.do("ana", campaign.RollDice("2d6", label="what the sea takes"), (3, 4))
        self.do("ana", campaign.RollDice("1d6"), (3,))
        self.do("ana", campaign.EndScene())
        self.do("ana", c.LoseFrame(frame=self.first, cause="The dam broke."))
        self.do("ana", c.ConcludeMission(payouts={self.mara: 300}))
        self.do("ben", c.AdvanceCategory(category="skills"))
        self.do("ben", c.Refit(category="skills", from_attribute="sharpness", to_attribute="smarts"))
        self.second: str = self.do("ben", c.CreateUnit(kind="frame", name="Egret"))[0].frame_id
        self.do("ana", c.ReplaceFrame(old=self.first, new=self.second))
        self.do("ana", c.InstallExperimental(attribute="sharpness", value=2, note="Unsafe.", pilot=self.mara))
        self.do("ana", campaign.EndSession())
        self.settle()
        self.do("ana", campaign.StartSession(present=[]))
        self.test("cleo", self.jun, mark=2, face=4)

    def test(self, who: str, pilot: str, *, mark: int, face: int, reactive: bool = False) -> None:
        dice = [TestDie(die="d6")]
        kind = "reactive" if reactive else "proactive"
        self.do("ana", c.CallTest(mark=mark, test_type=kind, dice=dice, pilot=pilot))  # type: ignore[arg-type]
        self.do(who, c.RollTest(), (face,))
