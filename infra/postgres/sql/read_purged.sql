-- Whether a campaign was purged.
SELECT p.purged_id FROM purged_campaigns AS p WHERE p.purged_id = :campaign
