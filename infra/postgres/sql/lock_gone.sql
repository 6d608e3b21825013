-- Holds the head of a campaign that may be purged by now; no row: it may not be.
SELECT h.campaign_id
FROM campaign_heads AS h
INNER JOIN seen_deletions AS s ON h.campaign_id = s.campaign_id
WHERE
    h.campaign_id = %(campaign)s
    AND h.gone_at <= extract(EPOCH FROM clock_timestamp()) * 1000000
    AND s.purge_from <= extract(EPOCH FROM clock_timestamp()) * 1000000
FOR UPDATE OF h
