-- Notes what is left over of an erasure, unless it was asked for again meanwhile: what was before and is not :done, and
-- (:with_deleted) every campaign that is deleted by now. What was purged has no head, and nothing to be erased.
UPDATE account_erasures AS e
SET
    left_over = ARRAY(
        SELECT h.campaign_id FROM campaign_heads AS h
        WHERE (h.campaign_id = ANY(e.left_over) AND h.campaign_id <> ALL(:done)) OR (:with_deleted AND h.gone_at IS NOT NULL)
        ORDER BY h.campaign_id
    ),
    claimed_until = now() + :seconds * interval '1 second'
WHERE e.account_id = :account AND e.what = :what AND e.asked_at = :asked_at
RETURNING e.left_over
