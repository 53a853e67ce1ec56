-- Answers that users gave for files to import, for later files of the same layout.
create table import_profiles (
  tenant uuid not null,
  home_id text not null,
  -- SHA-256 of the layout and the headings of the file.
  signature text not null,
  -- Name of the file that it was made from.
  name text not null,
  answers jsonb not null,
  -- Array of `{Name, MeterID}`: meters by the heading or name that the file has for them.
  meters jsonb not null,
  by text not null,
  updated_at bigint not null,
  primary key (tenant, home_id, signature),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create index import_profiles_by_age on import_profiles (tenant, updated_at);
