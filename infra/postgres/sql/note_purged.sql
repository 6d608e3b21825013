INSERT INTO purged_campaigns (purged_id) VALUES (%(campaign)s) ON CONFLICT (purged_id) DO NOTHING
