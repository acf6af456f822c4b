-- Who was active when.
SELECT a.launch_id AS launch, s.line, printf('%08x', a.active_mask) AS mask
FROM access a JOIN site s USING (site_id) WHERE s.line IN (7, 15, 16, 18) AND a.active_mask & 0xfffffff0 <> 0xfffffff0
  AND (s.line > 7 OR a.active_mask & 0x0fffffff = 0)
ORDER BY s.line, a.sequence
