-- What orders the accesses of a grid's blocks.

ALTER TABLE barrier ADD COLUMN grid INTEGER NOT NULL DEFAULT 0; -- 1: all blocks of the launch met there (grid.sync())
