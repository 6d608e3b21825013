INSERT INTO webhooks (
    campaign_id, webhook_id, form, kinds, host, sealed, created_by, created_at, delivered, upto, waiting, attempts, due_at
)
SELECT
    :campaign, :webhook, :form, :kinds, :host, :sealed, :created_by, :created_at, :delivered, :delivered, '', 0, :created_at
WHERE (SELECT count(*) FROM webhooks AS w WHERE w.campaign_id = :campaign) < :most
ON CONFLICT (campaign_id, webhook_id) DO NOTHING
RETURNING webhook_id
