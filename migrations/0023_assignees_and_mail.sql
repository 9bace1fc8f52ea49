-- Who looks at a plan that waits: for lists. The truth is in the plan's object; it gives no right.
ALTER TABLE plans ADD COLUMN assignee TEXT;

-- Mail that was handed over: a message reaches a person once, and nobody gets more than so many in an hour.
CREATE TABLE mails (
  site TEXT NOT NULL REFERENCES sites (site),
  -- Of the message, the same at every attempt.
  message TEXT NOT NULL,
  email TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (site, message, email)
) STRICT, WITHOUT ROWID;
CREATE INDEX mails_by_person ON mails (site, email, at_ms);
