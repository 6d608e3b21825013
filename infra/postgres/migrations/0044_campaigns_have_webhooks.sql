SET LOCAL lock_timeout = '3s';

-- Addresses that are told what happens in a campaign (sealed: the address and the secret that signs, encrypted). Nothing
-- that is sent is stored: delivered is the last seq of which the receiver has confirmed the news, upto the last one of the
-- message that is being sent, and waiting a hash of what the table waited for when it was last told. A worker that sends
-- moves due_at on and holds the webhook until then; after a day of failures it is parked. Moments are microseconds UTC.
CREATE TABLE webhooks (
    campaign_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    form text NOT NULL CHECK (form IN ('json', 'discord')),
    kinds text [] NOT NULL,
    host text NOT NULL,
    sealed bytea NOT NULL,
    created_by uuid NOT NULL,
    created_at bigint NOT NULL,
    delivered bigint NOT NULL,
    upto bigint NOT NULL,
    waiting bytea NOT NULL,
    attempts integer NOT NULL,
    due_at bigint NOT NULL,
    failing_since bigint,
    parked_at bigint,
    fault text,
    PRIMARY KEY (campaign_id, webhook_id)
);

CREATE INDEX webhooks_due_at_idx ON webhooks (due_at) WHERE parked_at IS NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks TO fieldlog_service;
