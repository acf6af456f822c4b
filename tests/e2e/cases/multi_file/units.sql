-- Registered units: where they register from, and how many sites each carries.
SELECT replace(main_file, rtrim(main_file, replace(main_file, '/', '')), '') AS file, site_count FROM unit ORDER BY 1
