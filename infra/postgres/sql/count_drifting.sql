-- How many campaigns have a ledger that is not right.
SELECT count(*) FROM checked_ledgers AS c
WHERE
    c.drifting
    AND NOT EXISTS (
        SELECT FROM campaign_heads AS h WHERE h.campaign_id = c.campaign_id AND h.gone_at IS NOT NULL
    )
