-- Requests and lanes per line.
SELECT s.line, s.kind, m.requests, m.thread_accesses, m.sectors, m.ideal_sectors, m.wavefronts
FROM site_metric m JOIN site s USING (site_id) WHERE s.line IN (7, 9, 10, 22, 24, 31, 33) ORDER BY s.line, s."column"
