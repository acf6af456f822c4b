-- What each record touches, as bytes from the start of what holds it.
SELECT a.launch_id AS launch, s.line, s."column", a.kind, a.space, a.bytes, a.active_mask AS mask, a.stride,
       m.name || '+' || (a.address - m.address) AS place
FROM access a JOIN site s USING (site_id)
JOIN allocation m ON a.address >= m.address AND a.address < m.address + m.bytes
WHERE a.space = 'texture'
ORDER BY a.launch_id, s.line, s."column"
