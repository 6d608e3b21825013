-- All campaigns are named, those that are deleted too: they may be restored.
WITH scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', (SELECT array_agg(campaign_id)::text FROM campaign_heads), true) AS named
)
SELECT campaign_id, epoch, sealed FROM dice_seeds
WHERE (SELECT scope.named FROM scope) IS NOT NULL
ORDER BY campaign_id, epoch LIMIT 1
