-- Invalidates the stored projections of a campaign, so that they are rebuilt from the log, unless they are stored in
-- :form ('': in any). The first request for a format causes the rebuild; later ones find it done. It counts as an
-- erasure, so that nothing is saved any more that a worker began to fold before, perhaps upon folds that are gone now.
WITH moved AS (
    UPDATE campaign_heads SET caught_up = 0, form = :form, erasures = erasures + 1
    WHERE campaign_id = :campaign AND gone_at IS NULL AND (form <> :form OR :form = '')
    RETURNING campaign_id
),

folds AS (
    DELETE FROM stored_folds USING moved WHERE stored_folds.campaign_id = :campaign AND stored_folds.campaign_id = moved.campaign_id
),

kept AS (
    DELETE FROM kept_folds USING moved WHERE kept_folds.campaign_id = :campaign AND kept_folds.campaign_id = moved.campaign_id
),

segments AS (
    DELETE FROM view_segments USING moved WHERE view_segments.campaign_id = :campaign AND view_segments.campaign_id = moved.campaign_id
)

SELECT true FROM moved
