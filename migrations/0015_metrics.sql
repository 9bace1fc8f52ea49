-- What metrics read, kept as plans change: a scrape reads a few rows a site and not every plan.
DROP TRIGGER plans_counted;
DROP TRIGGER plans_recounted;
DROP TRIGGER plans_uncounted;
DROP TABLE plan_counts;
CREATE TABLE plan_counts (
  site TEXT NOT NULL,
  state TEXT NOT NULL,
  verdict TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (site, state, verdict)
) STRICT, WITHOUT ROWID;
INSERT INTO plan_counts (site, state, verdict, n)
  SELECT site, state, COALESCE(verdict, ''), COUNT(*) FROM plans
  GROUP BY site, state, COALESCE(verdict, '');
CREATE TRIGGER plans_counted AFTER INSERT ON plans BEGIN
  INSERT INTO plan_counts (site, state, verdict, n)
    VALUES (new.site, new.state, COALESCE(new.verdict, ''), 1)
    ON CONFLICT (site, state, verdict) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER plans_recounted AFTER UPDATE OF state, verdict ON plans BEGIN
  UPDATE plan_counts SET n = n - 1
    WHERE site = old.site AND state = old.state AND verdict = COALESCE(old.verdict, '');
  INSERT INTO plan_counts (site, state, verdict, n)
    VALUES (new.site, new.state, COALESCE(new.verdict, ''), 1)
    ON CONFLICT (site, state, verdict) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER plans_uncounted AFTER DELETE ON plans BEGIN
  UPDATE plan_counts SET n = n - 1
    WHERE site = old.site AND state = old.state AND verdict = COALESCE(old.verdict, '');
END;

-- Histograms: how many fell into the bucket that ends at `le` seconds (-1: none that is named), and the
-- sum of all. They only rise, also when a plan is deleted.
CREATE TABLE plan_seconds (
  site TEXT NOT NULL,
  -- `verdict`: from submission to the first verdict. `run`: from that to the end of the run.
  stage TEXT NOT NULL,
  le REAL NOT NULL,
  n INTEGER NOT NULL,
  seconds REAL NOT NULL,
  PRIMARY KEY (site, stage, le)
) STRICT, WITHOUT ROWID;
CREATE TABLE plan_second_bounds (le REAL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO plan_second_bounds (le) VALUES (0.05), (0.25), (1), (5), (30), (120), (600), (3600), (14400);
CREATE TRIGGER plans_decided AFTER UPDATE OF decided_ms ON plans
  WHEN old.decided_ms IS NULL AND new.decided_ms IS NOT NULL BEGIN
  INSERT INTO plan_seconds (site, stage, le, n, seconds)
    SELECT new.site, 'verdict', COALESCE(MIN(le), -1), 1, (new.decided_ms - new.received_ms) / 1000.0
    FROM plan_second_bounds WHERE le * 1000 >= new.decided_ms - new.received_ms
    ON CONFLICT (site, stage, le) DO UPDATE SET n = n + 1, seconds = seconds + excluded.seconds;
END;
CREATE TRIGGER plans_inserted_decided AFTER INSERT ON plans WHEN new.decided_ms IS NOT NULL BEGIN
  INSERT INTO plan_seconds (site, stage, le, n, seconds)
    SELECT new.site, 'verdict', COALESCE(MIN(le), -1), 1, (new.decided_ms - new.received_ms) / 1000.0
    FROM plan_second_bounds WHERE le * 1000 >= new.decided_ms - new.received_ms
    ON CONFLICT (site, stage, le) DO UPDATE SET n = n + 1, seconds = seconds + excluded.seconds;
END;
CREATE TRIGGER plans_ended AFTER UPDATE OF ended_ms ON plans
  WHEN old.ended_ms IS NULL AND new.ended_ms IS NOT NULL AND new.decided_ms IS NOT NULL BEGIN
  INSERT INTO plan_seconds (site, stage, le, n, seconds)
    SELECT new.site, 'run', COALESCE(MIN(le), -1), 1, (new.ended_ms - new.decided_ms) / 1000.0
    FROM plan_second_bounds WHERE le * 1000 >= new.ended_ms - new.decided_ms
    ON CONFLICT (site, stage, le) DO UPDATE SET n = n + 1, seconds = seconds + excluded.seconds;
END;

-- Why plans were decided as they were, and why runs ended: by the stable codes. They only rise.
CREATE TABLE plan_reasons (
  site TEXT NOT NULL,
  -- `decision` or `run`.
  of TEXT NOT NULL,
  reason TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (site, of, reason)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER plans_reasoned AFTER UPDATE OF reasons ON plans WHEN new.reasons <> old.reasons BEGIN
  INSERT INTO plan_reasons (site, of, reason, n)
    SELECT new.site, 'decision', value, 1 FROM json_each(new.reasons) WHERE TRUE
    ON CONFLICT (site, of, reason) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER plans_inserted_reasoned AFTER INSERT ON plans BEGIN
  INSERT INTO plan_reasons (site, of, reason, n)
    SELECT new.site, 'decision', value, 1 FROM json_each(new.reasons) WHERE TRUE
    ON CONFLICT (site, of, reason) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER plans_run_reasoned AFTER UPDATE OF session_reason ON plans
  WHEN new.session_reason IS NOT NULL AND new.session_reason IS NOT old.session_reason BEGIN
  INSERT INTO plan_reasons (site, of, reason, n) VALUES (new.site, 'run', new.session_reason, 1)
    ON CONFLICT (site, of, reason) DO UPDATE SET n = n + 1;
END;
-- A plan whose first row arrives late may be over already.
CREATE TRIGGER plans_inserted_ended AFTER INSERT ON plans
  WHEN new.ended_ms IS NOT NULL AND new.decided_ms IS NOT NULL BEGIN
  INSERT INTO plan_seconds (site, stage, le, n, seconds)
    SELECT new.site, 'run', COALESCE(MIN(le), -1), 1, (new.ended_ms - new.decided_ms) / 1000.0
    FROM plan_second_bounds WHERE le * 1000 >= new.ended_ms - new.decided_ms
    ON CONFLICT (site, stage, le) DO UPDATE SET n = n + 1, seconds = seconds + excluded.seconds;
END;
CREATE TRIGGER plans_inserted_run_reasoned AFTER INSERT ON plans
  WHEN new.session_reason IS NOT NULL BEGIN
  INSERT INTO plan_reasons (site, of, reason, n) VALUES (new.site, 'run', new.session_reason, 1)
    ON CONFLICT (site, of, reason) DO UPDATE SET n = n + 1;
END;
