-- Measures of work by site: how many fell into the bucket that ends at `le` seconds (-1: beyond all), and the
-- sum of all. They only rise. A count that is lost is lost: nothing rests on them.
CREATE TABLE measures (
  site TEXT NOT NULL,
  name TEXT NOT NULL,
  -- What is told apart: a vendor and how its call ended; empty where nothing is.
  label TEXT NOT NULL,
  le REAL NOT NULL,
  n INTEGER NOT NULL,
  total REAL NOT NULL,
  PRIMARY KEY (site, name, label, le)
) STRICT, WITHOUT ROWID;
