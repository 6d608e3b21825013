-- The campaigns that take so many bytes or more.
SELECT h.campaign_id, h.bytes FROM campaign_heads AS h WHERE h.bytes >= :least AND h.gone_at IS NULL
