-- Global memory traffic per launch and site; whether line 44's lanes meet is up to the compiler, so only its lanes count.
SELECT m.launch_id AS launch, s.line, s."column", CASE WHEN s.line <> 44 THEN m.requests END AS requests, m.thread_accesses,
       CASE WHEN s.line <> 44 THEN m.sectors END AS sectors, CASE WHEN s.line <> 44 THEN m.ideal_sectors END AS ideal_sectors
FROM site_metric m JOIN site s USING (site_id)
ORDER BY m.launch_id, s.line, s."column"
