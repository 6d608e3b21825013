SELECT saved_rolls FROM campaign_members WHERE campaign_id = :campaign AND account_id = :account
