-- How long a site keeps what (protocol/keeping.ts), and what a legal hold keeps whatever that says.
CREATE TABLE keeping (
  site TEXT PRIMARY KEY REFERENCES sites (site),
  -- JSON object of periods; a site without a row has the defaults.
  periods TEXT NOT NULL,
  set_ms INTEGER NOT NULL,
  set_by TEXT NOT NULL
) STRICT;

CREATE TABLE legal_holds (
  site TEXT NOT NULL REFERENCES sites (site),
  -- Empty: everything of the site.
  plan TEXT NOT NULL,
  reason TEXT NOT NULL,
  set_ms INTEGER NOT NULL,
  set_by TEXT NOT NULL,
  PRIMARY KEY (site, plan)
) STRICT, WITHOUT ROWID;

-- What is left of a plan: `all`, `no_calls` (without what models were asked and answered), `trail`.
ALTER TABLE plans ADD COLUMN kept TEXT NOT NULL DEFAULT 'all';
CREATE INDEX plans_by_kept ON plans (site, kept, received_ms, plan);
CREATE INDEX memory_by_age ON memory (site, at_ms);
