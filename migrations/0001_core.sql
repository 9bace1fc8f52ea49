-- Records of the door: who may come in, and an index of plans for lists.
-- The truth about a plan, a session or a cell lives in its Durable Object; rows here are copies.

CREATE TABLE sites (
  site TEXT PRIMARY KEY,
  created_ms INTEGER NOT NULL,
  -- Where the site's objects live: the same name in another jurisdiction is another object.
  jurisdiction TEXT,
  location_hint TEXT
) STRICT;

CREATE TABLE credentials (
  id TEXT PRIMARY KEY,
  site TEXT NOT NULL REFERENCES sites (site),
  role TEXT NOT NULL CHECK (role IN ('planner', 'reviewer', 'operator', 'administrator')),
  -- What acts: the planner's id, or the person's own name.
  subject TEXT NOT NULL,
  -- The person who answers for it; never null, so that conflicts of interest can be seen.
  owner TEXT NOT NULL,
  -- SHA-256 (hex) of the 256-bit secret; the secret itself is never stored.
  secret_sha256 TEXT NOT NULL,
  -- JSON array that narrows the role, or null for the whole role. Reserved.
  scopes TEXT,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER,
  revoked_ms INTEGER,
  last_used_ms INTEGER
) STRICT;
CREATE INDEX credentials_by_site ON credentials (site, created_ms, id);

CREATE TABLE agents (
  site TEXT NOT NULL REFERENCES sites (site),
  agent TEXT NOT NULL,
  cell TEXT NOT NULL,
  -- RFC 7638 thumbprint of the public key.
  jkt TEXT NOT NULL,
  -- The public key (JSON Web Key); the private half never leaves the agent.
  jwk TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  revoked_ms INTEGER,
  PRIMARY KEY (site, agent)
) STRICT;

-- Every agent token is taken once.
CREATE TABLE agent_jtis (
  site TEXT NOT NULL,
  agent TEXT NOT NULL,
  jti TEXT NOT NULL,
  expires_ms INTEGER NOT NULL,
  PRIMARY KEY (site, agent, jti)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_jtis_by_expiry ON agent_jtis (expires_ms);

CREATE TABLE plans (
  site TEXT NOT NULL,
  plan TEXT NOT NULL,
  -- Rises with every change in PlanReview: a late copy never overwrites a newer one.
  version INTEGER NOT NULL,
  planner TEXT NOT NULL,
  owner TEXT NOT NULL,
  state TEXT NOT NULL,
  verdict TEXT,
  -- JSON array of decision reasons.
  reasons TEXT NOT NULL,
  concern TEXT,
  packet_digest TEXT,
  -- When an open review expires.
  review_expires_ms INTEGER,
  supersedes TEXT,
  session TEXT,
  session_reason TEXT,
  received_ms INTEGER NOT NULL,
  decided_ms INTEGER,
  ended_ms INTEGER,
  PRIMARY KEY (site, plan)
) STRICT;
CREATE INDEX plans_by_time ON plans (site, received_ms DESC, plan DESC);
CREATE INDEX plans_by_planner ON plans (site, planner, received_ms DESC, plan DESC);
CREATE INDEX plans_in_review ON plans (site, received_ms, plan) WHERE state = 'escalated';
CREATE INDEX plans_by_session ON plans (session) WHERE session IS NOT NULL;
