SET LOCAL lock_timeout = '3s';

-- Who a person of an import is changes what a member reads of earlier events, as reveals do.
DROP INDEX events_rewrites_idx;
CREATE INDEX events_rewrites_idx ON events (campaign_id, seq)
WHERE kind IN (
    'campaign.action_undone', 'campaign.action_redone', 'campaign.action_revealed', 'campaign.person_identified'
);
