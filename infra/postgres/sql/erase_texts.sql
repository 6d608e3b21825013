-- Erases personal texts of a campaign together with whatever was made of them, if its log ends with :hash now; run
-- while its head is locked. :left_texts is what is left beside each of :seqs (null: nothing), and :answers replace those
-- kept under :keys. Folds from :first on are taken back, those from before it stay.
-- The events' bodies keep the salted hashes, so the chain stays valid.
WITH head AS MATERIALIZED (
    SELECT h.campaign_id FROM campaign_heads AS h WHERE h.campaign_id = :campaign AND h.hash = :hash
),

erased AS (
    DELETE FROM personal_text AS p
    USING head, unnest(:seqs, :left_texts) AS e (seq, texts)
    WHERE p.campaign_id = :campaign AND p.seq = e.seq AND e.texts IS NULL
),

cut AS (
    UPDATE personal_text AS p SET texts = e.texts
    FROM head, unnest(:seqs, :left_texts) AS e (seq, texts)
    WHERE p.campaign_id = :campaign AND p.seq = e.seq AND e.texts IS NOT NULL
),

answered AS (
    UPDATE idempotency_keys AS k SET request_hash = '', answer = a.answer
    FROM head, unnest(:accounts, :keys, :answers) AS a (account_id, key, answer)
    WHERE k.campaign_id = :campaign AND k.account_id = a.account_id AND k.key = a.key
),

counted AS (
    UPDATE campaign_heads AS h SET erasures = h.erasures + 1
    FROM head
    WHERE h.campaign_id = :campaign
),

unkept AS (
    DELETE FROM kept_folds AS k
    USING head
    WHERE k.campaign_id = :campaign AND k.seq >= :first
),

taken_back AS (
    UPDATE stored_folds AS f SET form = :taken_back, content = ''
    FROM head
    WHERE f.campaign_id = :campaign AND f.seq >= :first
)

SELECT true FROM head
