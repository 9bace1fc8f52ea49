-- What a list says of a plan in words: a JSON object (protocol/plan-summary.ts). Null for plans that
-- were indexed before.
ALTER TABLE plans ADD COLUMN summary TEXT;
