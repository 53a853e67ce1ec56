-- Every command to a device, with who or what sent it, and its states with their times: [{"State": …, "Timestamp": …}].
create table commands (
  tenant uuid not null,
  request_id text not null,
  peripheral_uid text not null,
  home_id text not null,
  thing_name text not null,
  values jsonb not null,
  source text not null,
  by_name text,
  state text not null,
  reason text,
  history jsonb not null,
  requested_at bigint not null,
  settled_at bigint,
  primary key (tenant, request_id, peripheral_uid),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create index commands_device on commands (tenant, peripheral_uid, requested_at desc);
create index commands_open on commands (requested_at) where settled_at is null;
