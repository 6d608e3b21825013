SELECT feed_made_at FROM campaign_members WHERE campaign_id = :campaign AND account_id = :account
