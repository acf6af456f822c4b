-- What each site made in which launch; NULL where it made nothing.
SELECT s.line, s.expression, m.launch_id, m.requests, m.thread_accesses
FROM site s LEFT JOIN site_metric m USING (site_id) ORDER BY s.line, s."column", m.launch_id
