-- The plan that a template was made from: whoever deletes the plan finds what still holds its words. Null in rows
-- of before, whose objects are asked.
ALTER TABLE templates ADD COLUMN base TEXT;
CREATE INDEX templates_by_base ON templates (site, base);
