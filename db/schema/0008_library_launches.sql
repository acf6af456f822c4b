-- Launches of kernels that are not in the files that were rewritten.

ALTER TABLE launch ADD COLUMN instrumented INTEGER NOT NULL DEFAULT 1; -- 0: the kernel is not of a rewritten file (Thrust, a library), so what it accessed is not in the trace
