DELETE FROM webhooks WHERE campaign_id = :campaign AND webhook_id = :webhook RETURNING webhook_id
