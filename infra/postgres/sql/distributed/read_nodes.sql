-- The node that has the shard of each of some campaigns, or would have it.
SELECT c.campaign_id, placement.groupid
FROM unnest(:campaigns) AS c (campaign_id)
INNER JOIN pg_dist_placement AS placement
    ON placement.shardid = get_shard_id_for_distribution_column('campaign_heads', c.campaign_id)
