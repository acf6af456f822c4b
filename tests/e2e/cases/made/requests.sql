-- Requests and lanes per launch and site.
SELECT m.launch_id, replace(s.file, rtrim(s.file, replace(s.file, '/', '')), '') AS file, s.line, s.kind, m.requests, m.thread_accesses
FROM site_metric m JOIN site s USING (site_id) ORDER BY 1, 2, 3, s."column"
