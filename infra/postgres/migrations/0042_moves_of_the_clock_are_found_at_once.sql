SET LOCAL lock_timeout = '3s';

-- When the clock of a campaign moved, so that a date of its calendar leads to what had happened by then.
CREATE INDEX events_clock_idx ON events (campaign_id, seq) WHERE kind = 'campaign.calendar_advanced';
