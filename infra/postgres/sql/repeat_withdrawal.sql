-- Takes away again what was taken away after the backup that this database was restored from, and notes it under its
-- old id. Of a campaign whose text is erased, all stored answers and views go: any of them may quote it. An account is
-- erased from its campaigns by a worker, as when it was deleted first.
WITH scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', '{' || head.campaign_id || '}', true) AS named
    FROM campaign_heads AS head WHERE head.campaign_id = (:campaign)::uuid
),

erased AS (
    DELETE FROM personal_text AS p
    WHERE
        :kind = 'text' AND (SELECT scope.named FROM scope) IS NOT NULL AND cardinality(:stays) = 0
        AND p.campaign_id = (:campaign)::uuid AND p.seq = :seq AND p.salt = :salt
    RETURNING p.campaign_id
),

cut AS (
    UPDATE personal_text AS p
    SET
        texts = (
            SELECT convert_to(coalesce(json_object_agg(j.key, j.value), '{}')::text, 'UTF8')
            FROM json_each(convert_from(p.texts, 'UTF8')::json) AS j
            WHERE j.key = ANY(:stays)
        )
    WHERE
        :kind = 'text' AND (SELECT scope.named FROM scope) IS NOT NULL AND cardinality(:stays) > 0
        AND p.campaign_id = (:campaign)::uuid AND p.seq = :seq AND p.salt = :salt
    RETURNING p.campaign_id
),

touched AS MATERIALIZED (
    SELECT erased.campaign_id FROM erased UNION SELECT cut.campaign_id FROM cut
),

answered AS (
    UPDATE idempotency_keys AS k SET request_hash = '', answer = ''
    FROM touched
    WHERE k.campaign_id = touched.campaign_id
),

folded AS (
    DELETE FROM stored_folds AS f USING touched WHERE f.campaign_id = touched.campaign_id
),

kept AS (
    DELETE FROM kept_folds AS f USING touched WHERE f.campaign_id = touched.campaign_id
),

listed AS (
    DELETE FROM view_segments AS v USING touched WHERE v.campaign_id = touched.campaign_id
),

counted AS (
    UPDATE campaign_heads AS h SET erasures = h.erasures + 1, caught_up = 0, form = ''
    FROM touched
    WHERE h.campaign_id = touched.campaign_id
),

leaving AS MATERIALIZED (
    SELECT a.account_id, a.name FROM accounts AS a WHERE :kind = 'account' AND a.account_id = (:subject)::uuid
),

signed_out AS (
    DELETE FROM tokens AS t USING leaving WHERE t.account_id = leaving.account_id
),

uninvited AS (
    UPDATE invites AS i SET revoked_at = now()
    FROM leaving
    WHERE i.created_by = leaving.account_id AND i.revoked_at IS NULL
),

erasing AS (
    INSERT INTO account_erasures AS e (
        account_id, what, asked_at, due_at, with_texts, begun_at, name, after_campaign
    )
    SELECT
        leaving.account_id, 'account', now(), now(), NOT 'texts' = ANY(:stays), now(), leaving.name,
        '00000000-0000-0000-0000-000000000000'
    FROM leaving
    ON CONFLICT (account_id, what) DO UPDATE
    SET begun_at = now(), due_at = now(), with_texts = excluded.with_texts, name = excluded.name
),

-- Behind these, since Citus carries out one after the other, each with its checks and triggers.
gone AS (
    DELETE FROM accounts AS a USING leaving WHERE a.account_id = leaving.account_id
),

revoked AS (
    UPDATE tokens AS t SET revoked_at = now()
    WHERE :kind = 'token' AND t.token_id = (:subject)::uuid AND t.revoked_at IS NULL
),

voided AS (
    UPDATE invites AS i SET revoked_at = now()
    WHERE
        :kind = 'invite' AND i.campaign_id = (:campaign)::uuid AND i.invite_id = (:subject)::uuid
        AND i.revoked_at IS NULL
),

unsubscribed AS (
    UPDATE campaign_members AS m SET feed_hash = NULL, feed_made_at = NULL
    WHERE
        :kind = 'feed' AND m.campaign_id = (:campaign)::uuid AND m.account_id = (:subject)::uuid
        AND m.feed_made_at <= timestamptz 'epoch' + :noted_at * interval '1 microsecond'
),

disabled AS (
    UPDATE accounts AS a SET disabled_at = CASE :kind WHEN 'disabled' THEN now() END
    WHERE :kind IN ('disabled', 'enabled') AND a.account_id = (:subject)::uuid
),

purged AS (
    UPDATE campaign_heads AS h SET gone_at = (extract(EPOCH FROM statement_timestamp()) * 1000000)::bigint
    WHERE :kind = 'campaign' AND h.campaign_id = (:campaign)::uuid AND h.gone_at IS NULL
)

INSERT INTO withdrawals (withdrawal_id, noted_at, kind, campaign, subject, seq, salt, stays)
SELECT
    :id, timestamptz 'epoch' + :noted_at * interval '1 microsecond', :kind,
    coalesce((:campaign)::uuid, '00000000-0000-0000-0000-000000000000'), (:subject)::uuid, (:seq)::bigint,
    (:salt)::bytea, :stays
ON CONFLICT DO NOTHING
