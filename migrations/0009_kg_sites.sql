-- Nodes of the graph are everybody's ('') or belong to one site; every query names the site.
-- Danger: one site's manuals and incidents in another's prompts. The full text of sites lies in a table
-- of its own, so that what a site holds moves no rank of others. The graph has to be loaded again.

ALTER TABLE kg_nodes ADD COLUMN site TEXT NOT NULL DEFAULT '';
ALTER TABLE kg_edges ADD COLUMN site TEXT NOT NULL DEFAULT '';
ALTER TABLE kg_names ADD COLUMN site TEXT NOT NULL DEFAULT '';
ALTER TABLE kg_pairs ADD COLUMN site TEXT NOT NULL DEFAULT '';
CREATE INDEX kg_nodes_site ON kg_nodes (slot, site) WHERE site <> '';

-- Row number: slot · 10⁹ + rid. `own` holds one token of the site.
CREATE VIRTUAL TABLE kg_fts_own USING fts5(
  name, alias, near, txt, con, own, content='', contentless_delete=1, tokenize='unicode61'
);

-- Rows of before do not say whose they are: none serves, and the next load fills both slots anew.
DELETE FROM kg_active;
DELETE FROM kg_versions;
