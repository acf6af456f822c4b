-- What the constructor's initialisers store, of all launches: a bit field's unit is read as well.
SELECT s.line, s."column", s.kind, s.expression, s.bytes, sum(m.requests) AS requests, sum(m.thread_accesses) AS lanes
FROM site_metric m JOIN site s USING (site_id) WHERE s.function = 'Bits::Bits' GROUP BY site_id ORDER BY s.line, s."column"
