-- What lets a look-up of single accesses skip chunks.

-- What each chunk holds of each site. A search for a site, a block or an address range reads only the chunks
-- that can have a match, also where the sites of a chunk access arrays far apart.
CREATE TABLE access_chunk_site(
  site_number INTEGER NOT NULL,
  access_chunk_id INTEGER NOT NULL REFERENCES access_chunk,
  record_count INTEGER NOT NULL,
  min_block INTEGER NOT NULL,          -- linear block index
  max_block INTEGER NOT NULL,
  min_address INTEGER NOT NULL,        -- lowest and highest byte touched, as signed numbers
  max_address INTEGER NOT NULL,
  PRIMARY KEY(site_number, access_chunk_id)
) WITHOUT ROWID;
