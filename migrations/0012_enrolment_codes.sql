-- Codes with which an agent enrols its own key, once. Only a digest is kept: whoever reads the database
-- can enrol nothing.
CREATE TABLE enrolment_codes (
  site TEXT NOT NULL REFERENCES sites (site),
  -- SHA-256 of the code, base64url.
  digest TEXT NOT NULL,
  agent TEXT NOT NULL,
  cell TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  -- The administrator's credential: a code falls with it.
  credential TEXT NOT NULL,
  created_by TEXT NOT NULL,
  expires_ms INTEGER NOT NULL,
  used_ms INTEGER,
  PRIMARY KEY (site, digest)
) STRICT;
