-- The knowledge graph. Two slots: one serves, the other is loaded; `kg_active` is switched last, so
-- a reader never sees half a graph. Every row carries the graph version it belongs to.

CREATE TABLE kg_versions (
  version TEXT PRIMARY KEY,
  slot INTEGER NOT NULL CHECK (slot IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN ('loading', 'ready', 'retired')),
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  edges INTEGER NOT NULL,
  -- Chunks already stored; a resumed load goes on from here.
  chunks_done INTEGER NOT NULL DEFAULT 0,
  chunks_total INTEGER NOT NULL
);

CREATE TABLE kg_active (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version TEXT NOT NULL,
  slot INTEGER NOT NULL CHECK (slot IN (0, 1)),
  model TEXT NOT NULL,
  nodes INTEGER NOT NULL
);

CREATE TABLE kg_nodes (
  slot INTEGER NOT NULL,
  rid INTEGER NOT NULL,
  id TEXT NOT NULL,
  category TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  limits TEXT,
  graph_version TEXT NOT NULL,
  PRIMARY KEY (slot, rid)
) WITHOUT ROWID;
CREATE INDEX kg_nodes_id ON kg_nodes (slot, id);

CREATE TABLE kg_edges (
  slot INTEGER NOT NULL,
  src INTEGER NOT NULL,
  dst INTEGER NOT NULL,
  kind TEXT NOT NULL,
  derived INTEGER NOT NULL,
  record TEXT NOT NULL,
  graph_version TEXT NOT NULL,
  PRIMARY KEY (slot, src, dst, kind)
) WITHOUT ROWID;
CREATE INDEX kg_edges_dst ON kg_edges (slot, dst);

-- The gazetteer: phrases (as stems) that name a node outright.
CREATE TABLE kg_names (
  slot INTEGER NOT NULL,
  term TEXT NOT NULL,
  rid INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  graph_version TEXT NOT NULL,
  PRIMARY KEY (slot, term, rid)
) WITHOUT ROWID;

-- Term statistics and term vectors of the local embedding.
CREATE TABLE kg_terms (
  slot INTEGER NOT NULL,
  term TEXT NOT NULL,
  df INTEGER NOT NULL,
  idf REAL NOT NULL,
  vec TEXT NOT NULL,
  graph_version TEXT NOT NULL,
  PRIMARY KEY (slot, term)
) WITHOUT ROWID;

-- Incompatible pairs, taken out of the edges: the deterministic floor reads them on every plan.
CREATE TABLE kg_pairs (
  slot INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  a INTEGER NOT NULL,
  b INTEGER NOT NULL,
  graph_version TEXT NOT NULL,
  PRIMARY KEY (slot, pair, a, b)
) WITHOUT ROWID;

-- Search tokens are made by the application (verify/ground/text.ts), so the tables only index.
CREATE VIRTUAL TABLE kg_fts_0 USING fts5(
  name, alias, near, txt, con, content='', contentless_delete=1, tokenize='unicode61'
);
CREATE VIRTUAL TABLE kg_fts_1 USING fts5(
  name, alias, near, txt, con, content='', contentless_delete=1, tokenize='unicode61'
);
