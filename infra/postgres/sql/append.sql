-- Appends batches of many campaigns, each whole or not at all, in the one transaction of one statement.
-- All arguments are arrays: one element per batch in the first eight; then one per event, personal text,
-- answer, member, timer and dice epoch, each with the place of its batch (from 1) in the array named *_batches.
WITH scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', (:campaigns)::text, true) AS named
),

-- Row-level security lets nothing in but what belongs to these campaigns; everything below waits for this.
batch AS MATERIALIZED (
    SELECT *
    FROM
        unnest(
            :campaigns, :expected_seqs, :expected_hashes, :last_seqs, :last_hashes, :decided_ats, :first_ats,
            :last_ats
        ) WITH ORDINALITY
            AS c (campaign_id, expected_seq, expected_hash, last_seq, last_hash, decided_at, first_at, last_at, place)
    WHERE (SELECT scope.named FROM scope) IS NOT NULL
),

-- In campaign order, so that two groups on the same campaigns wait for each other and never deadlock. Each
-- head by its key: a join planned once for ten rows would compare all of hundreds with all.
locked AS MATERIALIZED (
    SELECT c.*, head.seq, head.hash, head.recorded_at, head.gone_at
    FROM (SELECT * FROM batch ORDER BY campaign_id) AS c
    LEFT JOIN LATERAL (
        SELECT h.seq, h.hash, h.recorded_at, h.gone_at
        FROM campaign_heads AS h
        WHERE h.campaign_id = c.campaign_id
        FOR UPDATE
    ) AS head ON true
),

-- Microseconds, read once every lock is held (that is what the count is for).
clock AS MATERIALIZED (
    SELECT (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now
    FROM (SELECT count(*) FROM locked) AS after_locking
),

-- A key committed while this statement waited for a lock is not seen here; but its events moved the head,
-- so the batch is in conflict. `nth` is the answer's place in all arrays of answers.
known AS MATERIALIZED (
    SELECT a.batch AS place, a.nth
    FROM
        unnest(:answer_batches, :answer_accounts, :answer_keys) WITH ORDINALITY
            AS a (batch, account_id, key, nth)
    INNER JOIN idempotency_keys AS k
        ON
            k.campaign_id = (:campaigns)[a.batch]
            AND k.account_id = a.account_id
            AND k.key = a.key
),

-- To what is deleted nothing is added. The head must be the one that the batch was decided on, by its hash too: after
-- a failover that lost events another event may stand at its seq. It may have been decided as far behind the clock as
-- any statement may take. A recorded time may lie a second ahead of the clock, further only where the head already is:
-- time never runs backwards.
verdict AS MATERIALIZED (
    SELECT
        locked.*,
        CASE
            WHEN locked.gone_at IS NOT NULL THEN 'gone'
            WHEN (locked.place IN (SELECT known.place FROM known)) IS TRUE THEN 'duplicate_key'
            WHEN coalesce(locked.seq, 0) <> locked.expected_seq THEN 'version_conflict'
            WHEN (locked.hash <> locked.expected_hash) IS TRUE THEN 'version_conflict'
            WHEN locked.decided_at < clock.now - 15000000 OR locked.first_at < locked.recorded_at THEN 'clock_skew'
            WHEN locked.last_at > greatest(clock.now + 1000000, locked.recorded_at) THEN 'clock_skew'
            ELSE 'committed'
        END AS status
    FROM locked
    CROSS JOIN clock
),

-- Two may found the same campaign at once: the second finds the head taken: a conflict.
founded AS (
    INSERT INTO campaign_heads (campaign_id, seq, recorded_at, hash)
    SELECT v.campaign_id, v.last_seq, v.last_at, v.last_hash
    FROM verdict AS v
    WHERE v.expected_seq = 0 AND v.status = 'committed'
    ORDER BY v.campaign_id
    ON CONFLICT (campaign_id) DO NOTHING
    RETURNING campaign_id
),

moved AS (
    UPDATE campaign_heads AS h
    SET seq = v.last_seq, recorded_at = v.last_at, hash = v.last_hash
    FROM verdict AS v
    WHERE h.campaign_id = v.campaign_id AND v.expected_seq > 0 AND v.status = 'committed'
),

outcome AS MATERIALIZED (
    SELECT
        v.place,
        CASE
            WHEN v.status = 'committed' AND v.expected_seq = 0
                AND (v.campaign_id IN (SELECT f.campaign_id FROM founded AS f)) IS NOT TRUE THEN 'version_conflict'
            ELSE v.status
        END AS status
    FROM verdict AS v
),

-- One array, looked into by place: a join would be planned for the wrong number of rows.
good AS MATERIALIZED (
    SELECT array_agg(o.status = 'committed' ORDER BY o.place) AS places FROM outcome AS o
),

new_events AS (
    INSERT INTO events (
        campaign_id, seq, recorded_at, game_time, kind_version, action_id, actor, kind, cause, visibility,
        salt, hash, command, body
    )
    SELECT
        (:campaigns)[e.batch], e.seq, e.recorded_at, e.game_time, e.kind_version, e.action_id, e.actor,
        e.kind, e.cause, e.visibility, e.salt, e.hash, e.command, e.body
    FROM
        unnest(
            :event_batches, :seqs, :recorded_ats, :game_times, :kind_versions, :action_ids,
            :actors, :kinds, :causes, :visibilities, :salts, :hashes, :commands,
            :bodies
        ) AS e (
            batch, seq, recorded_at, game_time, kind_version, action_id,
            actor, kind, cause, visibility, salt, hash, command,
            body
        )
    WHERE (SELECT good.places FROM good)[e.batch]
),

new_texts AS (
    INSERT INTO personal_text (campaign_id, seq, salt, texts)
    SELECT (:campaigns)[t.batch], t.seq, t.salt, t.texts
    FROM
        unnest(:text_batches, :text_seqs, :text_salts, :texts) AS t (batch, seq, salt, texts)
    WHERE (SELECT good.places FROM good)[t.batch]
),

new_keys AS (
    INSERT INTO idempotency_keys (campaign_id, account_id, key, request_hash, action_id, answer)
    SELECT (:campaigns)[a.batch], a.account_id, a.key, a.request_hash, a.action_id, a.answer
    FROM
        unnest(
            :answer_batches, :answer_accounts, :answer_keys, :answer_requests, :answer_actions,
            :answers
        ) AS a (batch, account_id, key, request_hash, action_id, answer)
    WHERE (SELECT good.places FROM good)[a.batch]
),

-- Seldom: few groups have anything for what follows up to the end, and the others leave it out.
new_seeds AS (
    INSERT INTO dice_seeds (campaign_id, epoch, sealed)
    SELECT (:campaigns)[s.batch], s.epoch, s.sealed
    FROM unnest(:seed_batches, :seed_epochs, :sealed_seeds) AS s (batch, epoch, sealed)
    WHERE (SELECT good.places FROM good)[s.batch]
),

members_out AS (
    DELETE FROM campaign_members AS old
    USING unnest(:member_batches, :member_accounts, :member_roles) AS m (batch, account_id, role)
    WHERE
        old.campaign_id = (:campaigns)[m.batch] AND old.account_id = m.account_id
        AND m.role IS NULL AND (SELECT good.places FROM good)[m.batch]
),

members_in AS (
    INSERT INTO campaign_members (campaign_id, account_id, role)
    SELECT (:campaigns)[m.batch], m.account_id, m.role
    FROM unnest(:member_batches, :member_accounts, :member_roles) AS m (batch, account_id, role)
    WHERE m.role IS NOT NULL AND (SELECT good.places FROM good)[m.batch]
    ON CONFLICT (campaign_id, account_id) DO UPDATE SET role = excluded.role
),

-- What an account made, or what was made for it, is worthless for good from when it is no GM any more, or no member.
invites_out AS (
    UPDATE invites AS invite
    SET revoked_at = now()
    FROM
        unnest(:member_batches, :member_accounts, :member_roles) AS m (batch, account_id, role),
        campaign_members AS old
    WHERE
        old.campaign_id = (:campaigns)[m.batch] AND old.account_id = m.account_id
        AND invite.campaign_id = old.campaign_id AND old.account_id IN (invite.created_by, invite.for_account)
        AND invite.revoked_at IS NULL AND m.role IS DISTINCT FROM 'gm' AND (SELECT good.places FROM good)[m.batch]
),

timers_out AS (
    DELETE FROM timers AS old
    USING unnest(:fired_batches, :fired_causes, :fired_subjects) AS f (batch, cause, subject)
    WHERE
        old.campaign_id = (:campaigns)[f.batch] AND old.cause = f.cause AND old.subject = f.subject
        AND (SELECT good.places FROM good)[f.batch]
),

timers_in AS (
    INSERT INTO timers (campaign_id, cause, subject, clock, due, wake_at)
    SELECT (:campaigns)[t.batch], t.cause, t.subject, t.clock, t.due, t.wake_at
    FROM
        unnest(:timer_batches, :timer_causes, :timer_subjects, :timer_clocks, :timer_dues, :timer_wakes)
            AS t (batch, cause, subject, clock, due, wake_at)
    WHERE (SELECT good.places FROM good)[t.batch]
    ON CONFLICT (campaign_id, cause, subject) DO UPDATE
    SET
        clock = excluded.clock, due = excluded.due, wake_at = excluded.wake_at,
        attempts = 0, parked_at = NULL, error = NULL
)

SELECT
    outcome.status,
    CASE
        WHEN outcome.status = 'duplicate_key'
            THEN (SELECT array_agg(k.nth ORDER BY k.nth) FROM known AS k WHERE k.place = outcome.place)
    END AS duplicates
FROM outcome
ORDER BY outcome.place
