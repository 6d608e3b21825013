-- How often something was erased in a campaign.
SELECT erasures FROM campaign_heads WHERE campaign_id = :campaign
