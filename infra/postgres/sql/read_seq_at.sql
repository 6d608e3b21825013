-- The last seq of a campaign that was recorded at :moment or before, 0 if none was. Recorded times never run
-- backwards in a campaign, so halving finds it: each step looks up one event by its key.
WITH RECURSIVE halving (low, high) AS (
    SELECT 0::bigint, h.seq FROM campaign_heads AS h WHERE h.campaign_id = :campaign
    UNION ALL
    SELECT
        CASE WHEN e.recorded_at <= :moment THEN e.seq ELSE halving.low END,
        CASE WHEN e.recorded_at <= :moment THEN halving.high ELSE e.seq - 1 END
    FROM halving
    INNER JOIN events AS e
        ON e.campaign_id = :campaign AND e.seq = (halving.low + halving.high + 1) / 2
    WHERE halving.low < halving.high
)

SELECT halving.low FROM halving WHERE halving.low = halving.high
