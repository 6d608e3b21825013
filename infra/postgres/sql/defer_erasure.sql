-- Notes what is left over of an erasure, unless it was asked for again meanwhile: what was before and is not :done, and
-- (:with_deleted) every campaign that is deleted by now. What was purged has no head, and nothing to be erased.
WITH before AS MATERIALIZED (
    SELECT unnest(e.left_over) AS campaign_id FROM account_erasures AS e
    WHERE e.account_id = :account AND e.what = :what AND e.asked_at = :asked_at
),

still AS MATERIALIZED (
    SELECT h.campaign_id FROM campaign_heads AS h
    WHERE
        (h.campaign_id IN (SELECT before.campaign_id FROM before) AND h.campaign_id <> ALL(:done))
        OR (:with_deleted AND h.gone_at IS NOT NULL)
)

UPDATE account_erasures AS e
SET
    left_over = ARRAY(SELECT still.campaign_id FROM still ORDER BY still.campaign_id),
    claimed_until = now() + :seconds * interval '1 second'
WHERE e.account_id = :account AND e.what = :what AND e.asked_at = :asked_at
RETURNING e.left_over
