SELECT seq, hash, recorded_at FROM campaign_heads WHERE campaign_id = :campaign AND gone_at IS NULL
