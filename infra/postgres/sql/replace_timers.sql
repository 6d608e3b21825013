-- Makes a campaign's timers those given, provided that its log still ends at :seq. What stays as it was keeps its
-- failures; what slept though it shall not wakes up, and the other way round.
WITH head AS MATERIALIZED (
    SELECT campaign_id FROM campaign_heads WHERE campaign_id = :campaign AND seq = :seq AND gone_at IS NULL FOR UPDATE
),

wanted AS MATERIALIZED (
    SELECT head.campaign_id, t.cause, t.subject, t.clock, t.due, t.wake_at
    FROM head, unnest(:causes, :subjects, :clocks, :dues, :wakes) AS t (cause, subject, clock, due, wake_at)
),

gone AS (
    DELETE FROM timers AS old
    USING head
    WHERE
        old.campaign_id = :campaign AND old.campaign_id = head.campaign_id
        AND NOT EXISTS (SELECT FROM wanted AS w WHERE w.cause = old.cause AND w.subject = old.subject)
),

added AS (
    INSERT INTO timers AS old (campaign_id, cause, subject, clock, due, wake_at)
    SELECT w.campaign_id, w.cause, w.subject, w.clock, w.due, w.wake_at FROM wanted AS w
    ON CONFLICT (campaign_id, cause, subject) DO UPDATE
    SET clock = excluded.clock, due = excluded.due, wake_at = excluded.wake_at
    WHERE
        (old.clock, old.due) <> (excluded.clock, excluded.due)
        OR (old.wake_at = :never) <> (excluded.wake_at = :never)
)

SELECT true FROM head
