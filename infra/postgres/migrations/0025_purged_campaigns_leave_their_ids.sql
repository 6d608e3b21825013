SET LOCAL lock_timeout = '3s';

-- The ids of campaigns that were purged, which no new campaign gets: heads and checkpoints of them may be kept anywhere.
CREATE TABLE purged_campaigns (
    purged_id uuid NOT NULL,
    PRIMARY KEY (purged_id)
);

GRANT SELECT ON purged_campaigns TO fieldlog_service;
