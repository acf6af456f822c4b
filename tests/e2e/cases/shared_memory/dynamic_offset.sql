-- Dynamic shared memory starts behind the static variables.
SELECT s.base, a.address AS address, a.address - (SELECT min(address) FROM access JOIN site USING (site_id) WHERE base = 'even') AS offset, a.stride
FROM access a JOIN site s USING (site_id)
WHERE s.base IN ('even', 'odd') AND s.kind = 'store' ORDER BY s.base
