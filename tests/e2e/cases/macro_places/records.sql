-- Records of each line that ran.
SELECT s.line, a.kind, a.bytes, count(*) AS records
FROM access a JOIN site s USING (site_id) GROUP BY s.line, a.kind, a.bytes ORDER BY s.line, a.kind, a.bytes
