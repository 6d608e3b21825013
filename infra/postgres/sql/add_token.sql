INSERT INTO tokens (token_id, account_id, label, token_hash, scope, only_campaign, ends_at, requests_per_minute)
VALUES (:token, :account, :label, :token_hash, :scope, :only_campaign, :ends_at, :requests_per_minute)
