-- What the report leads with.
SELECT function, line, base, kind, requests, sectors_per_request, ideal_sectors_per_request, excessive_sectors, bank_conflicts, wavefronts_per_request
FROM hot_site WHERE excessive_sectors > 0 OR bank_conflicts > 0
