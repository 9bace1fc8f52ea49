-- The draft of a site file that an administrator works on: one for each site. It is not in force anywhere.
CREATE TABLE site_drafts (
  site TEXT PRIMARY KEY REFERENCES sites (site),
  -- Rises with every change, so that two administrators do not overwrite each other.
  version INTEGER NOT NULL,
  registry TEXT NOT NULL,
  answers TEXT NOT NULL,
  examples TEXT NOT NULL,
  changed_ms INTEGER NOT NULL,
  changed_by TEXT NOT NULL
) STRICT;
