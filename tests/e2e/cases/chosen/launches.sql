-- Launches, in their order, and how many accesses each made.
SELECT launch_id, kernel, (SELECT count(*) FROM access a WHERE a.launch_id = launch.launch_id) AS records
FROM launch ORDER BY launch_id
