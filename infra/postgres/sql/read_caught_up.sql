-- How far the stored views of a campaign have followed its log.
SELECT caught_up FROM campaign_heads WHERE campaign_id = :campaign
