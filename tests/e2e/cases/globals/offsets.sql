-- Where in its variable each access lay.
SELECT s.expression, v.name, v.api, v.type, v.bytes, m.min_address - v.address AS first, m.max_address - v.address AS last
FROM site_metric m JOIN site s USING (site_id) JOIN allocation v ON m.min_address >= v.address AND m.max_address < v.address + v.bytes
ORDER BY s.line, s."column"
