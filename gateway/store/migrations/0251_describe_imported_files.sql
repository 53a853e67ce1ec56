-- SHA-256 of the imported file, null if unknown, and the facts by which it was read (contract/meters/import-reading.ts).
alter table meter_imports
  add column file_hash text,
  add column trace jsonb not null default '[]';
