-- Sets for this session what its login does not bring already. Behind a pooler that shares sessions between clients,
-- where the login brings all of it, nothing is set that the next client would find.
SELECT count(set_config(wanted.name, wanted.value, false))
FROM unnest(:names::text[], :values::text[]) AS wanted (name, value)
WHERE current_setting(wanted.name) <> wanted.value
