-- Named shadows of hubs (AWS IoT's manner). A version of 0 is never seen: it is the row a first update locks.
create table shadows (
  tenant uuid not null,
  thing_name text not null references things on delete cascade,
  shadow_name text not null,
  desired jsonb,
  reported jsonb,
  metadata jsonb not null default '{}',
  version bigint not null default 0,
  updated_at bigint not null,
  primary key (thing_name, shadow_name)
);
