-- Records of what each line accesses, and at how many sites.
SELECT s.line, s.expression, a.kind, count(DISTINCT s.site_id) AS sites, count(*) AS records
FROM access a JOIN site s USING (site_id)
GROUP BY s.line, s.expression, a.kind ORDER BY s.line, s.expression, a.kind
