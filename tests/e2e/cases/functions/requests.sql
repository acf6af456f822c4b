-- Requests and lanes per site that ran.
SELECT s.line, s.expression, m.requests, m.thread_accesses, m.sectors
FROM site_metric m JOIN site s USING (site_id) ORDER BY s.line, s."column"
