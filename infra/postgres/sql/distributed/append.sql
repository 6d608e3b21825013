-- Appends the batch of one campaign, as `append` does those of many, with the same arguments: each part of it is for one
-- shard then, and all of them share one transaction there. The campaign is named where its head is or would be; rows come
-- in by INSERT only if they are also returned, else by COPY, which row-level security refuses.
WITH scope AS MATERIALIZED (
    SELECT set_config(
        'fieldlog.campaigns',
        CASE
            WHEN (SELECT count(*) FROM campaign_heads AS head WHERE head.campaign_id = (:campaigns)[1]) >= 0
                THEN (:campaigns)::text
        END,
        true
    ) AS named
),

locked AS MATERIALIZED (
    SELECT h.seq, h.hash, h.recorded_at, h.gone_at
    FROM campaign_heads AS h
    WHERE h.campaign_id = (:campaigns)[1] AND (SELECT scope.named FROM scope) IS NOT NULL
    FOR UPDATE
),

clock AS MATERIALIZED (
    SELECT (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now
    FROM (SELECT count(*) FROM locked) AS after_locking
),

known AS MATERIALIZED (
    SELECT a.nth
    FROM unnest(:answer_accounts, :answer_keys) WITH ORDINALITY AS a (account_id, key, nth)
    INNER JOIN idempotency_keys AS k
        ON k.campaign_id = (:campaigns)[1] AND k.account_id = a.account_id AND k.key = a.key
    WHERE (SELECT scope.named FROM scope) IS NOT NULL
),

verdict AS MATERIALIZED (
    SELECT
        CASE
            WHEN head.gone_at IS NOT NULL THEN 'gone'
            WHEN EXISTS (SELECT FROM known) THEN 'duplicate_key'
            WHEN coalesce(head.seq, 0) <> (:expected_seqs)[1] THEN 'version_conflict'
            WHEN (head.hash <> (:expected_hashes)[1]) IS TRUE THEN 'version_conflict'
            WHEN (:decided_ats)[1] < clock.now - 15000000 OR (:first_ats)[1] < head.recorded_at THEN 'clock_skew'
            WHEN (:last_ats)[1] > greatest(clock.now + 1000000, head.recorded_at) THEN 'clock_skew'
            ELSE 'committed'
        END AS status,
        (:last_seqs)[1] AS last_seq,
        (:last_ats)[1] AS last_at,
        (:last_hashes)[1] AS last_hash
    FROM clock
    LEFT JOIN locked AS head ON true
),

founded AS (
    INSERT INTO campaign_heads (campaign_id, seq, recorded_at, hash)
    SELECT (:campaigns)[1], v.last_seq, v.last_at, v.last_hash
    FROM verdict AS v
    WHERE (:expected_seqs)[1] = 0 AND v.status = 'committed'
    ON CONFLICT (campaign_id) DO NOTHING
    RETURNING campaign_id
),

moved AS (
    UPDATE campaign_heads AS h
    SET seq = v.last_seq, recorded_at = v.last_at, hash = v.last_hash
    FROM verdict AS v
    WHERE h.campaign_id = (:campaigns)[1] AND (:expected_seqs)[1] > 0 AND v.status = 'committed'
),

outcome AS MATERIALIZED (
    SELECT
        CASE
            WHEN v.status = 'committed' AND (:expected_seqs)[1] = 0 AND NOT EXISTS (SELECT FROM founded) THEN 'version_conflict'
            ELSE v.status
        END AS status
    FROM verdict AS v
),

new_events AS (
    INSERT INTO events (
        campaign_id, seq, recorded_at, game_time, kind_version, action_id, actor, kind, cause, visibility,
        salt, hash, command, body
    )
    SELECT
        (:campaigns)[1], e.seq, e.recorded_at, e.game_time, e.kind_version, e.action_id, e.actor,
        e.kind, e.cause, e.visibility, e.salt, e.hash, e.command, e.body
    FROM
        unnest(
            :seqs, :recorded_ats, :game_times, :kind_versions, :action_ids,
            :actors, :kinds, :causes, :visibilities, :salts, :hashes, :commands,
            :bodies
        ) AS e (
            seq, recorded_at, game_time, kind_version, action_id,
            actor, kind, cause, visibility, salt, hash, command,
            body
        )
    WHERE (SELECT outcome.status FROM outcome) = 'committed'
    RETURNING campaign_id
),

new_texts AS (
    INSERT INTO personal_text (campaign_id, seq, salt, texts)
    SELECT (:campaigns)[1], t.seq, t.salt, t.texts
    FROM unnest(:text_seqs, :text_salts, :texts) AS t (seq, salt, texts)
    WHERE (SELECT outcome.status FROM outcome) = 'committed'
    RETURNING campaign_id
),

new_keys AS (
    INSERT INTO idempotency_keys (campaign_id, account_id, key, request_hash, action_id, answer)
    SELECT (:campaigns)[1], a.account_id, a.key, a.request_hash, a.action_id, a.answer
    FROM
        unnest(:answer_accounts, :answer_keys, :answer_requests, :answer_actions, :answers)
            AS a (account_id, key, request_hash, action_id, answer)
    WHERE (SELECT outcome.status FROM outcome) = 'committed'
    RETURNING campaign_id
),

-- Seldom: few batches have anything for what follows up to the end, and the others leave it out.
new_seeds AS (
    INSERT INTO dice_seeds (campaign_id, epoch, sealed)
    SELECT (:campaigns)[1], s.epoch, s.sealed
    FROM unnest(:seed_epochs, :sealed_seeds) AS s (epoch, sealed)
    WHERE (SELECT outcome.status FROM outcome) = 'committed'
    RETURNING campaign_id
),

-- Before the members go, since one part is carried out after the other.
invites_out AS (
    UPDATE invites AS invite
    SET revoked_at = now()
    FROM
        unnest(:member_accounts, :member_roles) AS m (account_id, role),
        campaign_members AS old
    WHERE
        old.campaign_id = (:campaigns)[1] AND old.account_id = m.account_id
        AND invite.campaign_id = (:campaigns)[1] AND old.account_id IN (invite.created_by, invite.for_account)
        AND invite.revoked_at IS NULL AND m.role IS DISTINCT FROM 'gm'
        AND (SELECT outcome.status FROM outcome) = 'committed'
),

members_out AS (
    DELETE FROM campaign_members AS old
    USING unnest(:member_accounts, :member_roles) AS m (account_id, role)
    WHERE
        old.campaign_id = (:campaigns)[1] AND old.account_id = m.account_id
        AND m.role IS NULL AND (SELECT outcome.status FROM outcome) = 'committed'
),

members_in AS (
    INSERT INTO campaign_members (campaign_id, account_id, role)
    SELECT (:campaigns)[1], m.account_id, m.role
    FROM unnest(:member_accounts, :member_roles) AS m (account_id, role)
    WHERE m.role IS NOT NULL AND (SELECT outcome.status FROM outcome) = 'committed'
    ON CONFLICT (campaign_id, account_id) DO UPDATE SET role = excluded.role
),

timers_out AS (
    DELETE FROM timers AS old
    USING unnest(:fired_causes, :fired_subjects) AS f (cause, subject)
    WHERE
        old.campaign_id = (:campaigns)[1] AND old.cause = f.cause AND old.subject = f.subject
        AND (SELECT outcome.status FROM outcome) = 'committed'
),

timers_in AS (
    INSERT INTO timers (campaign_id, cause, subject, clock, due, wake_at)
    SELECT (:campaigns)[1], t.cause, t.subject, t.clock, t.due, t.wake_at
    FROM
        unnest(:timer_causes, :timer_subjects, :timer_clocks, :timer_dues, :timer_wakes)
            AS t (cause, subject, clock, due, wake_at)
    WHERE (SELECT outcome.status FROM outcome) = 'committed'
    ON CONFLICT (campaign_id, cause, subject) DO UPDATE
    SET
        clock = excluded.clock, due = excluded.due, wake_at = excluded.wake_at,
        attempts = 0, parked_at = NULL, error = NULL
)

SELECT
    outcome.status,
    CASE
        WHEN outcome.status = 'duplicate_key' THEN (SELECT array_agg(k.nth ORDER BY k.nth) FROM known AS k)
    END AS duplicates
FROM outcome
