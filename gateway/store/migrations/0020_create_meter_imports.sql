-- Imports of past energy, as a journal: a draft, then done, perhaps undone.
create table meter_imports (
  meter_import_id uuid primary key,
  tenant uuid not null,
  home_id text not null,
  file_name text not null,
  kind text not null check (kind in ('counter', 'interval')),
  state text not null check (state in ('draft', 'done', 'undone')),
  rows integer not null default 0,
  added integer not null default 0,
  meters integer not null default 0,
  first_timestamp bigint,
  last_timestamp bigint,
  created_at bigint not null,
  created_by uuid not null,
  by text not null,
  committed_at bigint,
  undone_at bigint,
  undone_by text,
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create index meter_imports_home on meter_imports (tenant, home_id, created_at desc);

-- The rows of drafts, and of what is done those that were added: undoing it takes these away and no others. Wide columns first.
create table meter_import_rows (
  timestamp bigint not null,
  value double precision not null,
  meter_import_id uuid not null references meter_imports on delete cascade,
  line integer not null,
  meter_id integer not null,
  quarters smallint not null,
  -- Why it cannot be taken; once it is judged also same, conflict or new.
  verdict text,
  primary key (meter_import_id, line)
);
