-- Global memory traffic per launch and site, over files.
SELECT m.launch_id AS launch, replace(s.file, rtrim(s.file, replace(s.file, '/', '')), '') AS file, s.line, s."column", m.requests, m.thread_accesses, m.sectors, m.ideal_sectors
FROM site_metric m JOIN site s USING (site_id)
ORDER BY 1, 2, 3, 4
