-- What people sign in with beside a one-time code. A person at the identity provider is known here by the
-- address that an administrator has put on the credential: nobody else writes it, and it opens nothing else.
ALTER TABLE credentials ADD COLUMN email TEXT;
CREATE INDEX credentials_by_email ON credentials (email) WHERE email IS NOT NULL;

-- code, access or passkey.
ALTER TABLE sign_ins ADD COLUMN way TEXT NOT NULL DEFAULT 'code';

-- Refusals of one hour: so many leave a line in the site's trail, the rest are counted only, so that
-- strangers cannot fill it.
CREATE TABLE refused_sign_ins (
  site TEXT NOT NULL REFERENCES sites (site),
  hour INTEGER NOT NULL,
  -- 'stranger': nobody had shown a credential; 'known': somebody had. Strangers use up their own lines alone.
  who TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (site, hour, who)
) STRICT, WITHOUT ROWID;

CREATE TABLE passkeys (
  -- The authenticator's own id of the key, base64url.
  id TEXT PRIMARY KEY,
  site TEXT NOT NULL REFERENCES sites (site),
  -- Whose it is. It falls with that credential.
  credential TEXT NOT NULL,
  -- What the person calls it.
  name TEXT NOT NULL,
  -- COSE key, base64url. The private half never leaves the authenticator.
  public_key TEXT NOT NULL,
  -- As last signed; 0 for authenticators that do not count.
  counter INTEGER NOT NULL,
  -- The host for which it was made, without which it proves nothing.
  rp_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  last_used_ms INTEGER,
  ended_ms INTEGER,
  ended_by TEXT
) STRICT;
CREATE INDEX passkeys_by_credential ON passkeys (site, credential, created_ms);

-- What an authenticator is asked to sign, once: taken by the first answer, right or wrong.
CREATE TABLE passkey_challenges (
  -- SHA-256 of the challenge, lower-case hex.
  digest TEXT PRIMARY KEY,
  -- register, sign_in or touch.
  purpose TEXT NOT NULL,
  -- Whose answer is waited for; null while nobody is signed in.
  credential TEXT,
  -- What is signed by a touch (JSON), of which the challenge is made.
  about TEXT,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  used_ms INTEGER
) STRICT;
CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_ms);
CREATE INDEX passkey_challenges_by_credential ON passkey_challenges (credential, created_ms);
