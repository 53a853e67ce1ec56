-- What each hub last reported as received and not shown; entries as /ListUnmapped answers them.
create table unmapped_topics (
  thing_name text primary key references things on delete cascade,
  tenant uuid not null,
  reported_at bigint not null,
  total int not null,
  entries jsonb not null
);
