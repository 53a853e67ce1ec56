-- Times in which a device, a hub with its devices or a home is worked on and not watched.
create table maintenances (
  maintenance_id uuid primary key,
  tenant uuid not null,
  home_id text not null,
  scope text not null check (scope in ('device', 'hub', 'home')),
  subject text not null,
  until bigint not null,
  reason text not null,
  started_by text not null,
  started_at bigint not null,
  ended_at bigint,
  -- Null where its time was over.
  ended_by text,
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create unique index maintenances_open on maintenances (tenant, scope, subject) where ended_at is null;
create index maintenances_of_home on maintenances (tenant, home_id) where ended_at is null;
create index maintenances_due on maintenances (until) where ended_at is null;
create index maintenances_age on maintenances (ended_at) where ended_at is not null;
