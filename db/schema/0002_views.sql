-- Views in Nsight Compute's terms. docs/metrics.md defines them.

-- Per site, over all launches; sites that never ran have zeros and NULL ratios.
CREATE VIEW site_summary AS
SELECT s.site_id, s.function, s.file, s.line, s.column, s.expression, s.base, s.kind, s.space, s.type,
       s.bytes AS bytes_per_lane,
       count(m.launch_id) AS launches,
       ifnull(sum(m.requests), 0) AS requests,
       ifnull(sum(m.thread_accesses), 0) AS thread_accesses,
       ifnull(sum(m.bytes), 0) AS bytes,
       ifnull(sum(m.sectors), 0) AS sectors,
       ifnull(sum(m.ideal_sectors), 0) AS ideal_sectors,
       ifnull(sum(m.sectors - m.ideal_sectors), 0) AS excessive_sectors,
       sum(m.sectors) * 1.0 / nullif(sum(m.sector_requests), 0) AS sectors_per_request,
       sum(m.ideal_sectors) * 1.0 / nullif(sum(m.sector_requests), 0) AS ideal_sectors_per_request,
       sum(m.useful_bytes) * 1.0 / nullif(sum(m.sectors), 0) AS bytes_per_sector,
       ifnull(sum(m.wavefronts), 0) AS wavefronts,
       ifnull(sum(m.ideal_wavefronts), 0) AS ideal_wavefronts,
       ifnull(sum(m.wavefronts - m.ideal_wavefronts), 0) AS excessive_wavefronts,
       sum(m.wavefronts) * 1.0 / nullif(sum(m.wavefront_requests), 0) AS wavefronts_per_request,
       ifnull(sum(m.bank_conflicts), 0) AS bank_conflicts,
       sum(m.thread_accesses) * 1.0 / nullif(sum(m.requests), 0) AS avg_active_threads,
       min(m.min_address) AS min_address,
       max(m.max_address) AS max_address,
       ifnull(sum(m.sectors + 4 * m.wavefronts), 0) AS cost -- in sectors; a wavefront moves 128 bytes = 4
FROM site s LEFT JOIN site_metric m USING(site_id)
WHERE s.status = 'instrumented'
GROUP BY s.site_id;

-- The sites that ran, dearest first. share: of the cost of all sites, 0 to 1.
CREATE VIEW hot_site AS
SELECT site_id, function, file, line, column, expression, base, kind, space, requests,
       sectors_per_request, ideal_sectors_per_request, sectors, ideal_sectors, excessive_sectors,
       wavefronts_per_request, wavefronts, ideal_wavefronts, excessive_wavefronts, bank_conflicts,
       bytes, bytes_per_sector, avg_active_threads, cost,
       cost * 1.0 / nullif((SELECT sum(sectors + 4 * wavefronts) FROM site_metric), 0) AS share
FROM site_summary
WHERE requests > 0
ORDER BY cost DESC, file, line, column, site_id;

-- The source lines that accessed memory, dearest first.
CREATE VIEW hot_line AS
SELECT file, line, group_concat(DISTINCT function) AS functions, count(*) AS sites,
       sum(requests) AS requests,
       sum(sectors) AS sectors, sum(ideal_sectors) AS ideal_sectors,
       sum(excessive_sectors) AS excessive_sectors,
       sum(bank_conflicts) AS bank_conflicts, sum(bytes) AS bytes,
       sum(cost) AS cost, sum(share) AS share
FROM hot_site
GROUP BY file, line
ORDER BY cost DESC, file, line;

-- Per launch: configuration, times and totals.
CREATE VIEW launch_summary AS
SELECT l.launch_id, l.kernel, l.file, l.line,
       l.grid_x * l.grid_y * l.grid_z AS blocks,
       l.block_x * l.block_y * l.block_z AS threads_per_block,
       l.dynamic_shared_bytes, l.device_id, l.stream_id, l.error, l.error_name,
       l.host_end_ns - l.host_begin_ns AS host_ns,
       l.gpu_end_ns - l.gpu_begin_ns AS gpu_ns,
       count(m.site_id) AS sites,
       ifnull(sum(m.requests), 0) AS requests,
       ifnull(sum(m.thread_accesses), 0) AS thread_accesses,
       ifnull(sum(m.bytes), 0) AS bytes,
       ifnull(sum(m.sectors), 0) AS sectors,
       ifnull(sum(m.ideal_sectors), 0) AS ideal_sectors,
       ifnull(sum(m.sectors - m.ideal_sectors), 0) AS excessive_sectors,
       sum(m.sectors) * 1.0 / nullif(sum(m.sector_requests), 0) AS sectors_per_request,
       ifnull(sum(m.wavefronts), 0) AS wavefronts,
       ifnull(sum(m.wavefronts - m.ideal_wavefronts), 0) AS excessive_wavefronts,
       ifnull(sum(m.bank_conflicts), 0) AS bank_conflicts,
       sum(m.thread_accesses) * 1.0 / nullif(sum(m.requests), 0) AS avg_active_threads,
       ifnull(sum(m.sectors + 4 * m.wavefronts), 0) AS cost
FROM launch l LEFT JOIN site_metric m USING(launch_id)
GROUP BY l.launch_id;

-- Which allocation a site accessed in a launch: the one that was live and holds all its addresses. A
-- site that touched several allocations in one launch has no row here.
CREATE VIEW site_allocation AS
SELECT m.launch_id, m.site_id, a.allocation_id, a.name
FROM site_metric m
JOIN launch l USING(launch_id)
JOIN allocation a ON a.allocation_id = (
  SELECT b.allocation_id FROM allocation b -- live allocations do not overlap: the nearest one below, if any
  WHERE b.address <= m.min_address AND b.allocated_ns <= l.host_begin_ns
    AND (b.freed_ns IS NULL OR b.freed_ns >= l.host_begin_ns)
  ORDER BY b.address DESC LIMIT 1) AND m.max_address < a.address + a.bytes
WHERE m.sector_requests > 0 AND m.wavefront_requests = 0;

-- Per allocation: life time and traffic (of the sites that site_allocation can attribute).
CREATE VIEW allocation_summary AS
SELECT a.allocation_id, a.api, a.name, a.type, a.element_bytes, a.bytes, a.address, a.space, a.file, a.line,
       a.allocated_ns, a.freed_ns, a.freed_ns - a.allocated_ns AS life_ns,
       a.freed_ns IS NULL AND a.api NOT IN ('__device__', '__constant__') AS leaked,
       count(t.site_id) AS site_launches,
       ifnull(sum(m.requests), 0) AS requests,
       ifnull(sum(CASE WHEN s.kind = 'load' THEN m.bytes END), 0) AS loaded_bytes,
       ifnull(sum(CASE WHEN s.kind <> 'load' THEN m.bytes END), 0) AS stored_bytes,
       ifnull(sum(m.sectors), 0) AS sectors,
       ifnull(sum(m.sectors - m.ideal_sectors), 0) AS excessive_sectors
FROM allocation a
LEFT JOIN site_allocation t USING(allocation_id)
LEFT JOIN site_metric m ON m.launch_id = t.launch_id AND m.site_id = t.site_id
LEFT JOIN site s ON s.site_id = t.site_id
GROUP BY a.allocation_id;
