-- Accesses of macros and of their arguments, per line that ran.
SELECT s.line, s.macro, s.kind, m.requests, m.thread_accesses
FROM site_metric m JOIN site s USING (site_id) ORDER BY s.line, s.macro, s.kind, s."column"
