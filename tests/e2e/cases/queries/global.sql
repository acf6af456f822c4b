-- Global memory traffic per launch and site.
SELECT m.launch_id AS launch, s.line, s."column", m.requests, m.thread_accesses, m.bytes, m.sectors, m.ideal_sectors
FROM site_metric m JOIN site s USING (site_id)
WHERE m.sector_requests > 0
ORDER BY m.launch_id, s.file, s.line, s."column", s.kind
