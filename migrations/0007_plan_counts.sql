-- How many plans there are, by state and verdict, kept as they change: metrics read a few rows and not
-- every plan of the deployment.
CREATE TABLE plan_counts (
  state TEXT NOT NULL,
  verdict TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (state, verdict)
) STRICT, WITHOUT ROWID;
INSERT INTO plan_counts (state, verdict, n)
  SELECT state, COALESCE(verdict, ''), COUNT(*) FROM plans GROUP BY state, COALESCE(verdict, '');
CREATE TRIGGER plans_counted AFTER INSERT ON plans BEGIN
  INSERT INTO plan_counts (state, verdict, n) VALUES (new.state, COALESCE(new.verdict, ''), 1)
    ON CONFLICT (state, verdict) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER plans_recounted AFTER UPDATE OF state, verdict ON plans BEGIN
  UPDATE plan_counts SET n = n - 1 WHERE state = old.state AND verdict = COALESCE(old.verdict, '');
  INSERT INTO plan_counts (state, verdict, n) VALUES (new.state, COALESCE(new.verdict, ''), 1)
    ON CONFLICT (state, verdict) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER plans_uncounted AFTER DELETE ON plans BEGIN
  UPDATE plan_counts SET n = n - 1 WHERE state = old.state AND verdict = COALESCE(old.verdict, '');
END;
-- A site's hub writes its own rising number here: one that comes back with a lower number was restored
-- to an earlier time.
ALTER TABLE sites ADD COLUMN hub_mark INTEGER NOT NULL DEFAULT 0;
