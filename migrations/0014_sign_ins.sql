-- How people sign in at the console. A one-time code opens a sign-in, which a cookie then carries. Of both
-- only a digest is kept: whoever reads the database can open nothing. What a sign-in may do is what its
-- credential may do, asked at every request: a revoked credential ends all of its sign-ins.
CREATE TABLE sign_in_codes (
  -- SHA-256 of the code, lower-case hex.
  digest TEXT PRIMARY KEY,
  site TEXT NOT NULL REFERENCES sites (site),
  -- Whose sign-in it opens.
  credential TEXT NOT NULL,
  -- The credential that asked for the code: it falls with that one too.
  made_with TEXT NOT NULL,
  -- The sign-in that asked for it, if one did: what it opens ends with that one, and not later.
  parent TEXT,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  used_ms INTEGER
) STRICT;
CREATE INDEX sign_in_codes_by_end ON sign_in_codes (expires_ms);

CREATE TABLE sign_ins (
  id TEXT PRIMARY KEY,
  site TEXT NOT NULL REFERENCES sites (site),
  credential TEXT NOT NULL,
  -- The credential that asked for its code, which has to be in force all the while.
  made_with TEXT NOT NULL,
  parent TEXT,
  secret_sha256 TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  last_used_ms INTEGER,
  ended_ms INTEGER,
  ended_by TEXT
) STRICT;
CREATE INDEX sign_ins_by_credential ON sign_ins (site, credential, created_ms);
CREATE INDEX sign_ins_by_end ON sign_ins (expires_ms);
CREATE INDEX sign_ins_by_parent ON sign_ins (parent) WHERE parent IS NOT NULL;
CREATE INDEX sign_in_codes_by_maker ON sign_in_codes (made_with, expires_ms);
