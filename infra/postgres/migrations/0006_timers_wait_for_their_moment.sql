SET LOCAL lock_timeout = '3s';

-- What campaigns owe themselves, derived from their events and written together with them: payouts, healing,
-- timers. due is seconds of campaign time or microseconds UTC, as clock says, and 0 for what is owed at once; wake_at
-- is from when on a worker looks after it (microseconds UTC, the largest number: not before the calendar moves).
-- attempts, parked_at and error are the one thing here that no event tells.
CREATE TABLE timers (
    campaign_id uuid NOT NULL,
    cause uuid NOT NULL,
    subject text NOT NULL,
    clock text NOT NULL CHECK (clock IN ('game', 'real', 'now')),
    due bigint NOT NULL,
    wake_at bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    parked_at bigint,
    error text,
    PRIMARY KEY (campaign_id, cause, subject)
);

CREATE INDEX timers_wake_at_idx ON timers (wake_at, campaign_id) WHERE parked_at IS NULL;
CREATE INDEX timers_parked_at_idx ON timers (parked_at) WHERE parked_at IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON timers TO fieldlog_service;
