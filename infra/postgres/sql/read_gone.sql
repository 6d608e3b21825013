-- Which of these campaigns are deleted, or not there at all.
SELECT c.campaign_id FROM unnest(:campaigns) AS c (campaign_id)
EXCEPT
SELECT h.campaign_id FROM campaign_heads AS h WHERE h.campaign_id = ANY(:campaigns) AND h.gone_at IS NULL
