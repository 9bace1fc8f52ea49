-- Where the standing approvals of a site are: for lists. What each covers and whether it is in force is in
-- its object, which alone is asked before a run.
CREATE TABLE templates (
  site TEXT NOT NULL REFERENCES sites (site),
  template TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (site, template)
) STRICT;
CREATE INDEX templates_by_time ON templates (site, created_ms, template);
