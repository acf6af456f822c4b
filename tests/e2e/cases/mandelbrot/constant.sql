-- Constant memory has neither sectors nor wavefronts.
SELECT s.base, s.space, m.requests, m.thread_accesses, m.bytes, m.sectors, m.wavefronts, v.bytes AS variable_bytes
FROM site_metric m JOIN site s USING (site_id)
JOIN allocation v ON v.name = s.base AND m.min_address >= v.address AND m.max_address < v.address + v.bytes
