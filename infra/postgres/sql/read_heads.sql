-- Where the logs of several campaigns end, in the order asked for, and whether they are deleted; takes no lock.
SELECT head.seq, head.hash, head.gone_at
FROM unnest(:campaigns) WITH ORDINALITY AS asked (campaign_id, place)
LEFT JOIN LATERAL (
    SELECT h.seq, h.hash, h.gone_at FROM campaign_heads AS h WHERE h.campaign_id = asked.campaign_id
) AS head ON true
ORDER BY asked.place
