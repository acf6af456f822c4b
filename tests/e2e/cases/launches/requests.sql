-- Updates per launch.
SELECT m.launch_id, s.line, m.requests, m.thread_accesses FROM site_metric m JOIN site s USING (site_id) ORDER BY m.launch_id, s.line
