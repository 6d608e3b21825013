SELECT campaign_id, epoch, sealed FROM dice_seeds ORDER BY campaign_id, epoch LIMIT 1
