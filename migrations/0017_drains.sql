-- Sites that bind no plan, for `/healthz`: a copy of what each hub says of itself.
CREATE TABLE drains (
  site TEXT PRIMARY KEY REFERENCES sites (site),
  since_ms INTEGER NOT NULL
) STRICT;
