SET LOCAL lock_timeout = '3s';

-- Whether a campaign hides anything, and from whom: events for everybody pay nothing for it.
CREATE INDEX events_hidden_idx ON events (campaign_id, visibility) WHERE visibility <> 'all';
