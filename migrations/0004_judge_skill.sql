-- What judges said of plans that a person then resolved: outcome, verdict and risk per judge, nothing
-- of the plan. From it the skill of each judge is computed when it is asked for.
CREATE TABLE judge_resolutions (
  site TEXT NOT NULL,
  plan TEXT NOT NULL,
  person TEXT NOT NULL CHECK (person IN ('accept', 'reject')),
  -- JSON array of {judge, outcome, verdict, risk}.
  opinions TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (site, plan)
) STRICT;
CREATE INDEX judge_resolutions_by_time ON judge_resolutions (site, at_ms DESC);
