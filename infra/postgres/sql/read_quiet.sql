-- The campaigns without events for an hour that have no member: those that an import made, and did not finish.
SELECT array_agg(h.campaign_id)
FROM campaign_heads AS h
WHERE
    h.gone_at IS NULL
    AND h.recorded_at < (extract(EPOCH FROM clock_timestamp()) - 3600) * 1000000
    AND NOT EXISTS (SELECT FROM campaign_members AS m WHERE m.campaign_id = h.campaign_id)
