SET LOCAL lock_timeout = '3s';

-- The seeds that server dice come from, encrypted with a key that the database never has. The service adds to
-- them and reads them; what was committed to cannot be exchanged.
CREATE TABLE dice_seeds (
    campaign_id uuid NOT NULL,
    epoch bigint NOT NULL CHECK (epoch > 0),
    sealed bytea NOT NULL,
    PRIMARY KEY (campaign_id, epoch)
);

GRANT SELECT, INSERT ON dice_seeds TO fieldlog_service;
