"""What others than GMs know of a campaign that is loaded for deciding."""

from domain.campaign.knowledge import Knowledge, decides
from domain.campaign.state import CampaignState
from domain.campaign.visibility import GM, TABLE, Audience
from domain.ids import CampaignId
from services.folding import restored
from services.ports import EventLog, ViewStore
from services.standing import Standing


async def knowledge_of(
    log: EventLog, views: ViewStore, standing: Standing, campaign_id: CampaignId, whole: CampaignState
) -> Knowledge:
    """Nothing apart, mostly; `whole` is the campaign as GMs know it, at its head.

    Where stored folds are the same for everybody, what everybody knows begins there, else with the first event.
    """
    hidden = await log.hidden(campaign_id)
    if not hidden:
        return Knowledge()
    stored = {fold.audience: fold for fold in await views.folds(campaign_id)}
    alike = len({(fold.seq, decides(restored(fold)[1])) for fold in stored.values()}) == 1
    accounts = [Audience.called(each) for each in hidden if each.startswith("account:")]
    states = {}
    for audience in (TABLE, *accounts):
        deciding = Audience(gm=False, account=audience.account, whole=True)
        found = await standing.latest(campaign_id, deciding, stored.get(GM.key) if alike else None)
        assert found is not None, "it was there for the GMs just now, and nothing takes a campaign away"
        states[audience] = found[1]
    same = all(decides(each) == decides(whole) for each in states.values())
    return Knowledge({} if same else states)
