-- How many threads access what, and the space: how often they go together in takeTurns is up to who is let in.
SELECT s.line, s.kind, s.expression, s.space, m.thread_accesses
FROM site_metric m JOIN site s USING (site_id) ORDER BY s.line, s."column"
