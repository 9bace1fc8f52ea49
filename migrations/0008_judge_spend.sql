-- What was set aside for the judges of a site, by day (UTC).
CREATE TABLE judge_spend (
  site TEXT NOT NULL,
  day TEXT NOT NULL,
  usd REAL NOT NULL,
  PRIMARY KEY (site, day)
) STRICT;
