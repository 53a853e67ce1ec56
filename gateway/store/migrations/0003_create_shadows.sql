-- Named shadows of hubs (§7): what was desired and reported, when each leaf changed, and a version that grows by one.
create table shadows (
  tenant uuid not null,
  thing_name text not null references things on delete cascade,
  shadow_name text not null,
  desired jsonb not null default '{}',
  reported jsonb not null default '{}',
  metadata jsonb not null default '{}',
  version bigint not null,
  updated_at bigint not null,
  primary key (thing_name, shadow_name)
);
create index shadows_tenant on shadows (tenant);
