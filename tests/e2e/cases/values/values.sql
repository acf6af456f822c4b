-- What each lane read or wrote.
SELECT s.base, s.kind, s.type, l.lane, typeof(l.value) AS type_of_value,
       CASE typeof(l.value) WHEN 'blob' THEN hex(l.value) ELSE l.value END AS value
FROM access_lane l JOIN access a USING (launch_id, sequence) JOIN site s USING (site_id)
ORDER BY s.line, s."column", l.lane
