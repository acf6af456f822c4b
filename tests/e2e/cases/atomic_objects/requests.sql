-- Requests and lanes per line; how often line 38 asks is up to the order of warps.
SELECT s.line, s.kind, m.requests, m.thread_accesses, m.sectors
FROM site_metric m JOIN site s USING (site_id) WHERE s.line <> 38 ORDER BY s.line, s."column"
