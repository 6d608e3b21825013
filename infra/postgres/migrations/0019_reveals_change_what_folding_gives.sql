SET LOCAL lock_timeout = '3s';

-- Reveals change what folding earlier events gives, as undos and redos do.
DROP INDEX events_rewrites_idx;
CREATE INDEX events_rewrites_idx ON events (campaign_id, seq)
WHERE kind IN ('campaign.action_undone', 'campaign.action_redone', 'campaign.action_revealed');
