-- The last seq of a campaign that happened at :moment or before, 0 if none did. What was brought over from another
-- campaign happened when it was recorded first, as its cause says: import:<microseconds>:<cause>.
--
-- Imports of imports lie within each other. Their opening events stand at the beginning, the latest import's first; each
-- says how many events it brought over, and its completion follows these (a fork may end before it). From one completion
-- to the next no event happened before its predecessor, so halving finds the last. Each step looks up one event by its
-- key: the LIMITs keep the planner from reading the whole campaign at every step to join it.
WITH RECURSIVE imports (opening, happened_at, completion, upto) AS (
    SELECT 0::bigint, 0::bigint, h.seq + 1, h.seq FROM campaign_heads AS h WHERE h.campaign_id = :campaign
    UNION ALL
    SELECT
        imports.opening + 1,
        event.happened_at,
        least(imports.completion, imports.opening + 2 + event.brought_over),
        imports.completion - 1
    FROM imports
    CROSS JOIN LATERAL (
        SELECT
            coalesce(substring(e.cause FROM '^import:([0-9]{1,16}):')::bigint, e.recorded_at) AS happened_at,
            CASE
                WHEN e.kind = 'campaign.imported'  -- others may be packed
                    THEN substring(convert_from(e.body, 'UTF8') FROM '"events":([0-9]{1,15})')::bigint
            END AS brought_over,
            e.kind
        FROM events AS e
        WHERE e.campaign_id = :campaign AND e.seq = imports.opening + 1
        LIMIT 1
    ) AS event
    WHERE event.kind = 'campaign.imported'
),

-- From the last completion that had happened by then, or the innermost opening, up to the next completion.
span AS (
    (
        SELECT imports.completion AS low, imports.upto AS high
        FROM imports
        CROSS JOIN LATERAL (
            SELECT coalesce(substring(e.cause FROM '^import:([0-9]{1,16}):')::bigint, e.recorded_at) AS happened_at
            FROM events AS e
            WHERE e.campaign_id = :campaign AND e.seq = imports.completion
            LIMIT 1
        ) AS event
        WHERE event.happened_at <= :moment
        ORDER BY imports.opening
        LIMIT 1
    )
    UNION ALL
    SELECT max(imports.opening), min(imports.completion) - 1 FROM imports
    ORDER BY 1 DESC
    LIMIT 1
),

halving (low, high) AS (
    SELECT span.low, span.high FROM span
    UNION ALL
    SELECT
        CASE WHEN event.happened_at <= :moment THEN event.seq ELSE halving.low END,
        CASE WHEN event.happened_at <= :moment THEN halving.high ELSE event.seq - 1 END
    FROM halving
    CROSS JOIN LATERAL (
        SELECT
            e.seq,
            coalesce(substring(e.cause FROM '^import:([0-9]{1,16}):')::bigint, e.recorded_at) AS happened_at
        FROM events AS e
        WHERE e.campaign_id = :campaign AND e.seq = (halving.low + halving.high + 1) / 2
        LIMIT 1
    ) AS event
    WHERE halving.low < halving.high
)

-- Where nothing that was brought over had happened by then, an opening may have, or not even that.
SELECT
    CASE
        WHEN halving.low > (SELECT max(imports.opening) FROM imports) THEN halving.low
        ELSE (SELECT max(imports.opening) FROM imports WHERE imports.opening = 0 OR imports.happened_at <= :moment)
    END
FROM halving
WHERE halving.low = halving.high
