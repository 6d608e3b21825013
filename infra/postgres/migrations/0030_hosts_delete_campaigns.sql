SET LOCAL lock_timeout = '3s';

-- NULL: who runs the service did.
ALTER TABLE campaign_deletions ALTER deleted_by DROP NOT NULL;
