-- 1 when rules found everything that was wrong, in arguments that no wording can hide: a plan that
-- does not show those codes is then known not to repeat it.
ALTER TABLE memory ADD COLUMN exact INTEGER NOT NULL DEFAULT 0;
