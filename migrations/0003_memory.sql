-- Failure memory: nodes of the graph that a site adds by itself. Codes, ids and entities only,
-- never plan text. Scoped to the site, expiring, capped.

CREATE TABLE memory (
  site TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('failure', 'precedent')),
  event TEXT NOT NULL,
  plan TEXT NOT NULL,
  plan_digest TEXT NOT NULL,
  planner TEXT NOT NULL,
  owner TEXT NOT NULL,
  policy_version TEXT NOT NULL,
  basis TEXT NOT NULL CHECK (basis IN ('floor', 'person', 'execution', 'models')),
  -- JSON arrays.
  codes TEXT NOT NULL,
  culprits TEXT NOT NULL,
  supersedes TEXT,
  at_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  -- A reviewer may resolve a memory with a reason; it then matches nothing.
  resolved_ms INTEGER,
  resolved_by TEXT,
  resolved_reason TEXT,
  PRIMARY KEY (site, id)
) STRICT;
CREATE INDEX memory_by_expiry ON memory (expires_ms);
CREATE INDEX memory_precedents ON memory (site, plan_digest) WHERE kind = 'precedent';

-- Edges from a memory to tools, closed arguments, graph ids and steps.
CREATE TABLE memory_edges (
  site TEXT NOT NULL,
  feature TEXT NOT NULL,
  memory TEXT NOT NULL,
  PRIMARY KEY (site, feature, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_edges_by_memory ON memory_edges (site, memory);
