SELECT sealed FROM dice_seeds WHERE campaign_id = :campaign AND epoch = :epoch
