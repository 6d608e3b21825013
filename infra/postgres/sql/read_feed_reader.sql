SELECT account_id FROM campaign_members WHERE campaign_id = :campaign AND feed_hash = :feed_hash
