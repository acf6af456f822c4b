-- Requests and lanes of each access, by the space where it was made.
SELECT a.launch_id, s.line, s."column", s.kind, a.space, count(*) AS requests, sum(m.lanes) AS lanes
FROM access a JOIN site s USING (site_id)
     JOIN (SELECT launch_id, sequence, count(*) AS lanes FROM access_lane GROUP BY 1, 2) m
       ON m.launch_id = a.launch_id AND m.sequence = a.sequence
WHERE a.launch_id <= 3
GROUP BY a.launch_id, s.site_id, a.space
ORDER BY a.launch_id, s.line, s."column", s.kind, a.space
